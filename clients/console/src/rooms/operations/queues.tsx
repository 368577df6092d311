/** What works and what waits: the parts of the server, runs, and the filling of knowledge bases. */

import { useQuery } from "@tanstack/react-query";
import { api, data, Failure, type Run } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { href } from "../../router.ts";
import { Link } from "../../ui/link.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { useAgents } from "../agents.ts";

const EVERY = 4_000;
/** Agents whose newest runs are asked for, and runs of each. */
const MAX_AGENTS = 50;
const OF_EACH = 20;
const CHECKS = ["database", "blobs", "searchIndex", "disk"] as const;

export function Queues() {
  return (
    <>
      <Health />
      <Runs />
      <Bases />
      <p className="hint">{t("ops.metrics")}</p>
    </>
  );
}

function Health() {
  const ready = useQuery({
    queryKey: ["ready"],
    queryFn: ({ signal }) => data(api.GET("/ready", { signal })),
    // A part that is down is an answer here, not a reason to wait.
    retry: false,
    refetchInterval: EVERY * 2,
  });
  const failure = ready.error instanceof Failure ? ready.error : undefined;
  const down = new Map(failure?.errors.map((error) => [error.path, error.message]));
  if (ready.isPending) return <Loading />;
  if (ready.isError && failure?.code !== "not_ready")
    return <Wrong error={ready.error} retry={() => void ready.refetch()} />;
  const index = ready.data?.index;
  return (
    <section className="card stack" aria-label={t("ops.server")}>
      <h2>
        {t("ops.server")}
        {ready.data ? ` ${ready.data.version}` : ""}
      </h2>
      <div className="line-up" role="status">
        {CHECKS.map((name) => {
          const isUp = !down.has(name);
          return (
            <span key={name} className={isUp ? "pill ok" : "pill red"}>
              {isUp ? "✓" : "✕"} {t(`ops.check.${name}`)}
            </span>
          );
        })}
        {index && index.lag_changes > 0 ? (
          <span className="pill warn">
            {t("ops.lag", { changes: index.lag_changes, seconds: number(Math.ceil(index.lag_seconds)) })}
          </span>
        ) : null}
      </div>
      {[...down].map(([part, message]) => (
        <p className="red-text" key={part}>
          {message}
        </p>
      ))}
    </section>
  );
}

function Runs() {
  const agents = useAgents();
  const names = agents.data?.agents.filter((agent) => agent.form_id).map((agent) => agent.namespace);
  const asked = useQuery({
    queryKey: ["operations", "runs", names],
    enabled: names !== undefined,
    queryFn: async ({ signal }) => {
      const each = (names ?? []).slice(0, MAX_AGENTS).map(async (namespace) => {
        const params = { path: { namespace }, query: { limit: OF_EACH } };
        const { runs } = await data(api.GET("/v1/agent/{namespace}/workflow/delta/runs", { params, signal }));
        return runs
          .filter((run) => run.state === "running")
          .map((run) => ({ namespace, run: run as unknown as Run }));
      });
      return (await Promise.all(each)).flat().sort((a, b) => a.run.sid - b.run.sid);
    },
    refetchInterval: EVERY,
  });
  const error = agents.error ?? asked.error;
  return (
    <section className="card stack" aria-label={t("ops.runs")}>
      <h2>{t("ops.runs")}</h2>
      {error ? (
        <Wrong error={error} retry={() => void asked.refetch()} />
      ) : !asked.data ? (
        <Loading />
      ) : asked.data.length === 0 ? (
        <p className="hint">{t("ops.no_runs")}</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              <th>{t("runs.one")}</th>
              <th>{t("runs.agent")}</th>
              <th className="end">{t("ops.waiting_groups")}</th>
              <th className="wide-only">{t("ops.priority")}</th>
              <th className="wide-only">{t("runs.started")}</th>
            </tr>
          </thead>
          <tbody>
            {asked.data.map(({ namespace, run }) => (
              <tr key={run.sid}>
                <td>
                  <Link to={href("runs", namespace, run.sid)}>{t("runs.run", { sid: String(run.sid) })}</Link>
                </td>
                <td>
                  <bdi>{namespace}</bdi>
                </td>
                <td className="end">{t("runs.of", { done: run.open, total: run.total })}</td>
                <td className="wide-only">{t(`ops.priority.${run.priority}`)}</td>
                <td className="wide-only">{time(run.created_timestamp)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(names?.length ?? 0) > MAX_AGENTS ? (
        <p className="hint">{t("ops.some_agents", { count: MAX_AGENTS })}</p>
      ) : null}
    </section>
  );
}

function Bases() {
  const asked = useQuery({
    queryKey: ["operations", "bases"],
    queryFn: ({ signal }) =>
      data(api.GET("/v1/knowledgebases", { params: { query: { limit: 100 } }, signal })),
    refetchInterval: EVERY,
  });
  const busy = (asked.data?.knowledgebases ?? []).filter(
    ({ status }) => status.queued + status.processing + status.failed > 0,
  );
  return (
    <section className="card stack" aria-label={t("ops.bases")}>
      <h2>{t("ops.bases")}</h2>
      {asked.isError ? (
        <Wrong error={asked.error} retry={() => void asked.refetch()} />
      ) : !asked.data ? (
        <Loading />
      ) : busy.length === 0 ? (
        <p className="hint">{t("ops.no_bases")}</p>
      ) : (
        <table className="plain">
          <thead>
            <tr>
              <th>{t("kb.name")}</th>
              <th className="end">{t("kb.status.queued")}</th>
              <th className="end">{t("kb.status.processing")}</th>
              <th className="end">{t("kb.status.failed")}</th>
            </tr>
          </thead>
          <tbody>
            {busy.map((base) => (
              <tr key={base.knowledgeId}>
                <td>
                  <Link to={href("knowledge", base.knowledgeId)}>
                    <bdi>{base.name}</bdi>
                  </Link>
                </td>
                <td className="end">{number(base.status.queued)}</td>
                <td className="end">{number(base.status.processing)}</td>
                <td className="end">{number(base.status.failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
