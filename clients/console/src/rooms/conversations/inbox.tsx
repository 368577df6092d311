/** The table of conversations. */

import { number, t, time } from "../../i18n.ts";
import { href } from "../../router.ts";
import { Button } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { type Listed, type Session, type Status, TONE, useSessions } from "./data.ts";

export function Inbox({ agents, status }: { agents: string[] | undefined; status: Status | "" }) {
  const { rows, error, isPast, more, retry } = useSessions(agents, status);
  if (error && !rows) return <Wrong error={error} retry={retry} />;
  if (!rows) return <Loading />;
  if (rows.length === 0)
    return status ? (
      <Empty title={t("inbox.none_title")} text={t("inbox.none_text")} />
    ) : (
      <Empty title={t("inbox.empty_title")} text={t("inbox.empty_text")} />
    );
  return (
    <>
      {error ? <Wrong error={error} retry={retry} /> : null}
      <div className="card flush" aria-busy={isPast}>
        <table className="plain">
          <thead>
            <tr>
              <th>{t("inbox.conversation")}</th>
              <th className="wide-only">{t("runs.agent")}</th>
              <th>{t("inbox.state")}</th>
              <th className="wide-only">{t("inbox.progress")}</th>
              <th className="end wide-only">{t("inbox.messages")}</th>
              <th className="end">{t("inbox.last")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((listed) => (
              <Row key={`${listed.namespace}/${listed.row.id}`} {...listed} />
            ))}
          </tbody>
        </table>
      </div>
      {more ? <Button onPress={more}>{t("more")}</Button> : null}
    </>
  );
}

function Row({ namespace, row }: Listed<Session>) {
  return (
    <tr>
      <td>
        <Link to={href("conversations", namespace, row.id)}>
          <bdi>{row.title || t("inbox.untitled")}</bdi>
        </Link>
        {row.taken_over_by ? (
          <span className="pill vio">
            {t("inbox.with")} <bdi>{row.taken_over_by.userName}</bdi>
          </span>
        ) : null}
      </td>
      <td className="wide-only keep">
        <bdi>{namespace}</bdi>
      </td>
      <td>{row.status ? <span className={TONE[row.status]}>{t(`talk.${row.status}`)}</span> : "–"}</td>
      <td className="wide-only">{row.progress ? <Progress {...row.progress} /> : "–"}</td>
      <td className="end wide-only">{number(row.turns)}</td>
      <td className="end keep">{time(row.updated_timestamp)}</td>
    </tr>
  );
}

export function Progress({ filled, total }: { filled: number; total: number }) {
  const text = t("preview.filled", { filled, total });
  return (
    <span className="line-up filled">
      <progress value={filled} max={Math.max(1, total)} aria-label={text} />
      <span className="num">{text}</span>
    </span>
  );
}
