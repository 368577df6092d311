/** The newest runs of all agents, and the way to start one. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, data, type Run } from "../../api.ts";
import { dollars, number, t, time } from "../../i18n.ts";
import { href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Link } from "../../ui/link.tsx";
import { Button, Select } from "../../ui/controls.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { isPreview, useAgents } from "../agents.ts";
import { NewRun } from "./new.tsx";

/** Agents whose runs are listed together, and runs of each. */
const MAX_AGENTS = 25;
const OF_EACH = 20;

interface Listed {
  namespace: string;
  run: Run;
}

function useRuns(agents: string[] | undefined) {
  return useQuery({
    queryKey: ["runs", agents],
    enabled: agents !== undefined,
    refetchInterval: (query) =>
      query.state.data?.some(({ run }) => run.state === "running") ? 2_000 : false,
    queryFn: async (): Promise<Listed[]> => {
      const each = (agents ?? []).map(async (namespace) => {
        const params = { path: { namespace }, query: { limit: agents?.length === 1 ? 100 : OF_EACH } };
        const { runs } = await data(api.GET("/v1/agent/{namespace}/workflow/delta/runs", { params }));
        return runs.map((run) => ({ namespace, run: run as Run }));
      });
      return (await Promise.all(each)).flat().sort((a, b) => b.run.sid - a.run.sid);
    },
  });
}

export function RunList() {
  const canWrite = useCanWrite();
  const agents = useAgents();
  const [agent, setAgent] = useState("");
  const [isNew, setNew] = useState(false);
  const withForm = agents.data?.agents.filter((known) => known.form_id && !isPreview(known.namespace));
  const runs = useRuns(agent ? [agent] : withForm?.slice(0, MAX_AGENTS).map((known) => known.namespace));
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.runs")}</h1>
        <span className="gap" />
        {withForm && withForm.length > 1 ? (
          <Select
            bare
            label={t("runs.agent")}
            value={agent}
            onChange={setAgent}
            options={[
              { id: "", label: t("runs.all_agents") },
              ...withForm.map((known) => ({ id: known.namespace, label: known.name || known.namespace })),
            ]}
          />
        ) : null}
        {canWrite ? (
          <Button kind="main" onPress={() => setNew(true)}>
            {t("runs.new")}
          </Button>
        ) : null}
      </header>
      <div className="scroll pad">
        {runs.isError || agents.isError ? (
          <Wrong error={runs.error ?? agents.error} retry={() => void runs.refetch()} />
        ) : !runs.data ? (
          <Loading />
        ) : runs.data.length === 0 ? (
          <Empty title={t("runs.empty_title")} text={t("runs.empty_text")}>
            {canWrite ? (
              <Button kind="main" onPress={() => setNew(true)}>
                {t("runs.new")}
              </Button>
            ) : (
              <p className="hint">{t("detail.read_only")}</p>
            )}
          </Empty>
        ) : (
          <RunTable runs={runs.data} />
        )}
      </div>
      <NewRun isOpen={isNew} onClose={() => setNew(false)} />
    </div>
  );
}

const TONE: Partial<Record<Run["state"], string>> = {
  succeeded: "pill ok",
  partly_failed: "pill warn",
  failed: "pill red",
  running: "pill vio",
};

function RunTable({ runs }: { runs: Listed[] }) {
  return (
    <div className="card flush">
      <table className="plain">
        <thead>
          <tr>
            <th>{t("runs.one")}</th>
            <th>{t("runs.agent")}</th>
            <th>{t("runs.state")}</th>
            <th className="end">{t("runs.groups")}</th>
            <th className="end wide-only">{t("runs.cost")}</th>
            <th className="wide-only">{t("runs.started")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ namespace, run }) => (
            <tr key={`${namespace}/${run.sid}`}>
              <td>
                <Link to={href("runs", namespace, run.sid)}>{t("runs.run", { sid: String(run.sid) })}</Link>
                {run.labels.map((label) => (
                  <span className="pill" key={label}>
                    {label}
                  </span>
                ))}
              </td>
              <td>
                <bdi>{namespace}</bdi>
              </td>
              <td>
                <span className={TONE[run.state] ?? "pill"}>{t(`run.${run.state}`)}</span>
              </td>
              <td className="end">
                {run.state === "running"
                  ? t("runs.of", { done: run.successful + run.failed, total: run.total })
                  : number(run.total)}
              </td>
              <td className="end wide-only">
                {(run.usage.cost ?? 0) > 0 ? dollars(run.usage.cost ?? 0) : "–"}
              </td>
              <td className="wide-only">{time(run.created_timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
