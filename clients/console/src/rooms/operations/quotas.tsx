/** What the workspace stores and may store, and what holds for the caller. */

import { useQuery } from "@tanstack/react-query";
import { api, data } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { useMe } from "../../session.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { useModels } from "../knowledge/data.ts";
import { limitWords } from "./limits.tsx";

const QUOTAS = ["files", "bytes", "chunks", "groups"] as const;

export function Quotas() {
  return (
    <>
      <Stored />
      <Caller />
      <Server />
    </>
  );
}

function Stored() {
  const asked = useQuery({
    queryKey: ["quotas"],
    queryFn: ({ signal }) => data(api.GET("/v1/quotas", { signal })),
  });
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  const quotas = asked.data;
  return (
    <section className="card stack" aria-label={t("ops.stored")}>
      <h2>{t("ops.stored")}</h2>
      <table className="plain">
        <thead>
          <tr>
            <th>{t("ops.quota")}</th>
            <th className="end">{t("ops.used")}</th>
            <th className="end">{t("ops.allowed")}</th>
            <th className="wide-only">{t("ops.share")}</th>
          </tr>
        </thead>
        <tbody>
          {QUOTAS.map((name) => {
            const { used, limit } = quotas[name];
            const words = (count: number) => (name === "bytes" ? megabytes(count) : number(count));
            return (
              <tr key={name}>
                <td>{t(`ops.quota.${name}`)}</td>
                <td className="end">{words(used)}</td>
                <td className="end">{limit === null ? t("ops.no_limit") : words(limit)}</td>
                <td className="wide-only">
                  {limit === null ? (
                    "–"
                  ) : (
                    <meter
                      className="quota"
                      min={0}
                      max={Math.max(1, limit)}
                      value={Math.min(used, limit)}
                      aria-label={t(`ops.quota.${name}`)}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="hint">{t("ops.quota_hint")}</p>
    </section>
  );
}

function megabytes(bytes: number): string {
  return t("ops.megabytes", { size: number(Math.round(bytes / 104_857.6) / 10) });
}

function Caller() {
  const me = useMe();
  const limits = limitWords(me.key.limits);
  return (
    <section className="card stack" aria-label={t("ops.caller")}>
      <h2>{t("ops.caller")}</h2>
      <dl className="facts">
        <dt>{t("ops.workspace")}</dt>
        <dd>
          <bdi>{me.workspace}</bdi>
        </dd>
        <dt>{t("ops.member")}</dt>
        <dd>
          <bdi>{me.userName}</bdi> · <bdi>{me.userEmail}</bdi> ·{" "}
          {t(`role.${me.role as "owner" | "member" | "viewer"}`)}
        </dd>
        <dt>{t("ops.key")}</dt>
        <dd>
          <code>{me.key.prefix}</code> · {t(`ops.scope.${me.key.scope as "read"}`)} ·{" "}
          {me.key.expires ? t("ops.until", { time: time(me.key.expires) }) : t("ops.never")}
        </dd>
        <dt>{t("ops.limits")}</dt>
        <dd>{limits.length > 0 ? limits.join(" · ") : t("ops.no_limit")}</dd>
      </dl>
    </section>
  );
}

function Server() {
  const home = useQuery({
    queryKey: ["home"],
    staleTime: Infinity,
    queryFn: ({ signal }) => data(api.GET("/", { signal, headers: { Accept: "application/json" } })),
  });
  const texts = useModels("text-to-text");
  const vectors = useModels("text-to-embedding");
  const names = (models: { modelId: string }[]) =>
    models.length === 0
      ? t("ops.none")
      : models
          .slice(0, 12)
          .map((model) => model.modelId)
          .join(", ") + (models.length > 12 ? " …" : "");
  const server = home.data as { version?: string; sign_in?: string[] } | undefined;
  return (
    <section className="card stack" aria-label={t("ops.in_force")}>
      <h2>{t("ops.in_force")}</h2>
      <dl className="facts">
        <dt>{t("ops.version")}</dt>
        <dd>{server?.version ?? "–"}</dd>
        <dt>{t("ops.sign_in")}</dt>
        <dd>{server?.sign_in?.join(", ") || "–"}</dd>
        <dt>{t("ops.text_models", { count: texts.models.length })}</dt>
        <dd>{names(texts.models)}</dd>
        <dt>{t("ops.vector_models", { count: vectors.models.length })}</dt>
        <dd>{names(vectors.models)}</dd>
      </dl>
      <p className="hint">{t("ops.settings_hint")}</p>
    </section>
  );
}
