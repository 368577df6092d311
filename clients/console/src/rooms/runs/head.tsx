/** The head of a run: how far it is, and what can be done with it as a whole. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data, type Run } from "../../api.ts";
import { dollars, t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { Button, Confirm, Menu } from "../../ui/controls.tsx";
import { download } from "../../ui/download.ts";
import { tellError } from "../../ui/notices.tsx";

const FORMATS = ["csv", "xlsx", "jsonl", "json"] as const;

export function RunHead({ namespace, run, canWrite }: { namespace: string; run: Run; canWrite: boolean }) {
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const isRunning = run.state === "running";
  const path = { namespace, sid: run.sid };
  const again = (work: Promise<unknown>) =>
    work
      .catch(tellError)
      .finally(() => void client.invalidateQueries({ queryKey: ["run", namespace, run.sid] }));
  const share = (count: number) => `${(count / Math.max(1, run.total)) * 100}%`;
  const exported = (format: string) =>
    download(
      `/v1/agent/${encodeURIComponent(namespace)}/workflow/delta?sid=${run.sid}&format=${format}`,
      `${namespace}-${run.sid}.${format}`,
    );
  return (
    <header className="head">
      <a
        className="up"
        href={href("runs")}
        onClick={(event) => {
          event.preventDefault();
          go(href("runs"));
        }}
      >
        {t("nav.runs")}
      </a>
      <h1>
        {t("runs.run", { sid: String(run.sid) })} · <bdi>{namespace}</bdi>
      </h1>
      <div
        className="bar"
        role="progressbar"
        aria-label={t("runs.progress")}
        aria-valuenow={Math.round(run.progress * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i className="good" style={{ width: share(run.successful) }} />
        <i className="bad" style={{ width: share(run.failed) }} />
      </div>
      <span className="pill" role="status">
        {isRunning
          ? t("runs.of", { done: run.successful + run.failed, total: run.total })
          : t(`run.${run.state}`)}
        {run.failed > 0 ? ` · ${t("runs.failed", { count: run.failed })}` : ""}
      </span>
      {(run.usage.cost ?? 0) > 0 ? (
        <span className="pill vio">
          {dollars(run.usage.cost ?? 0)}
          {run.budget ? ` / ${dollars(run.budget)}` : ""}
        </span>
      ) : null}
      <span className="hint">{time(run.created_timestamp)}</span>
      <span className="gap" />
      {canWrite && isRunning ? <Button onPress={() => setAsked(true)}>{t("runs.stop")}</Button> : null}
      {canWrite && !isRunning && run.failed > 0 ? (
        <Button
          onPress={() =>
            void again(
              data(api.POST("/v1/agent/{namespace}/workflow/delta/runs/{sid}/retry", { params: { path } })),
            )
          }
        >
          {t("runs.retry", { count: run.failed })}
        </Button>
      ) : null}
      <Menu
        label={t("runs.export")}
        kind="main"
        items={FORMATS.map((id) => ({ id, label: t(`format.${id}`) }))}
        onAction={(id) => void exported(id)}
      />
      <Confirm
        title={t("runs.stop_title")}
        text={t("runs.stop_text")}
        action={t("runs.stop")}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          void again(
            data(api.DELETE("/v1/agent/{namespace}/workflow/delta/runs/{sid}", { params: { path } })),
          )
        }
      />
    </header>
  );
}
