/** The records that conversations led to: a table, one in detail, and all of an agent as a file. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { leaves, words as placeWords } from "../../pointer.ts";
import { href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Confirm, Menu, Panel } from "../../ui/controls.tsx";
import { download } from "../../ui/download.ts";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { words } from "../runs/value.tsx";
import { type Listed, type Submission, useSubmissions } from "./data.ts";

const FORMATS = ["csv", "xlsx", "jsonl"] as const;
/** Fields that have a column, values of a summary, and values of a record in detail. */
const MAX_COLUMNS = 8;
const MAX_SUMMARY = 3;
const MAX_LEAVES = 500;

type One = Listed<Submission>;

export function Submissions({ agents, agent }: { agents: string[] | undefined; agent: string }) {
  const { rows, error, isPast, more, retry } = useSubmissions(agents);
  const [open, setOpen] = useState<One>();
  const [doomed, setDoomed] = useState<One>();
  const client = useQueryClient();
  const remove = async ({ namespace, row }: One) => {
    try {
      const path = { namespace, submission_id: row.id };
      await data(api.DELETE("/v1/agent/{namespace}/submissions/{submission_id}", { params: { path } }));
      tell(t("inbox.submission_deleted"));
    } catch (error) {
      tellError(error);
    }
    void client.invalidateQueries({ queryKey: ["submissions"] });
  };
  if (error && !rows) return <Wrong error={error} retry={retry} />;
  if (!rows) return <Loading />;
  if (rows.length === 0)
    return <Empty title={t("inbox.no_submissions_title")} text={t("inbox.no_submissions_text")} />;
  const only = agents?.length === 1 ? agents[0] : undefined;
  const names = agent || only ? columns(rows) : [];
  const exported = (format: string) =>
    only === undefined
      ? undefined
      : download(
          `/v1/agent/${encodeURIComponent(only)}/submissions?format=${format}`,
          `${only}-submissions.${format}`,
        );
  return (
    <>
      {error ? <Wrong error={error} retry={retry} /> : null}
      <div className="line-up above">
        {only === undefined ? (
          <span className="hint">{t("inbox.export_hint")}</span>
        ) : (
          <Menu
            label={t("runs.export")}
            items={FORMATS.map((id) => ({ id, label: t(`format.${id}`) }))}
            onAction={(format) => void exported(format)}
          />
        )}
      </div>
      <div
        className="card flush"
        aria-busy={isPast}
        tabIndex={0}
        role="region"
        aria-label={t("inbox.submissions")}
      >
        <table className="plain">
          <thead>
            <tr>
              <th>{t("inbox.submitted_at")}</th>
              {only === undefined ? <th>{t("runs.agent")}</th> : null}
              {names.length > 0 ? (
                names.map((name) => (
                  <th key={name}>
                    <bdi>{name}</bdi>
                  </th>
                ))
              ) : (
                <th className="wide-only">{t("inbox.values")}</th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.row.id}>
                <td>
                  <Button kind="quiet" onPress={() => setOpen(one)}>
                    {time(one.row.created_timestamp)}
                  </Button>
                </td>
                {only === undefined ? (
                  <td>
                    <bdi>{one.namespace}</bdi>
                  </td>
                ) : null}
                {names.length > 0 ? (
                  names.map((name) => (
                    <td key={name}>
                      <Value value={one.row.record[name]} />
                    </td>
                  ))
                ) : (
                  <td className="wide-only">
                    <Summary record={one.row.record} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more ? <Button onPress={more}>{t("more")}</Button> : null}
      <Detail one={open} onClose={() => setOpen(undefined)} onDelete={setDoomed} />
      <Confirm
        title={t("inbox.delete_submission_title")}
        text={t("inbox.delete_submission_text")}
        action={t("inbox.delete")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && void remove(doomed)}
      />
    </>
  );
}

/** The fields that the first records have, in the order of the form. */
function columns(rows: One[]): string[] {
  const names = new Set(rows.slice(0, 20).flatMap(({ row }) => Object.keys(row.record)));
  return [...names].slice(0, MAX_COLUMNS);
}

function Value({ value }: { value: unknown }) {
  return <bdi className={value == null ? "absent" : ""}>{words(value)}</bdi>;
}

function Summary({ record }: { record: Record<string, unknown> }) {
  const stated = leaves(record, MAX_LEAVES).filter(([, value]) => value !== null);
  return (
    <span className="line-up">
      {stated.slice(0, MAX_SUMMARY).map(([path, value]) => (
        <span className="chip-value" key={path}>
          <bdi>{placeWords(path)}</bdi> = <bdi>{words(value)}</bdi>
        </span>
      ))}
      {stated.length > MAX_SUMMARY ? (
        <span className="hint">{t("inbox.more_values", { count: stated.length - MAX_SUMMARY })}</span>
      ) : null}
    </span>
  );
}

interface DetailProps {
  one: One | undefined;
  onClose: () => void;
  onDelete: (one: One) => void;
}

function Detail({ one, onClose, onDelete }: DetailProps) {
  const canWrite = useCanWrite();
  return (
    <Panel title={t("inbox.submission")} isOpen={one !== undefined} onClose={onClose} wide>
      {one ? (
        <>
          <p className="hint">
            {time(one.row.created_timestamp)} · <bdi>{one.namespace}</bdi> · <bdi>{one.row.userName}</bdi>
          </p>
          <dl className="record">
            {leaves(one.row.record, MAX_LEAVES).map(([path, value]) => (
              <div key={path}>
                <dt>
                  <bdi>{placeWords(path)}</bdi>
                </dt>
                <dd dir="auto" className={value == null ? "absent" : ""}>
                  {typeof value === "string" ? value : words(value)}
                </dd>
              </div>
            ))}
          </dl>
          <div className="actions">
            {canWrite ? (
              <Button
                onPress={() => {
                  onClose();
                  onDelete(one);
                }}
              >
                {t("inbox.delete")}
              </Button>
            ) : null}
            <Link to={href("conversations", one.namespace, one.row.session_id)}>
              {t("inbox.open_conversation")}
            </Link>
          </div>
        </>
      ) : null}
    </Panel>
  );
}
