/** The conversations of all agents, and their submissions. */

import { t } from "../../i18n.ts";
import { go, href, usePlace } from "../../router.ts";
import { Link } from "../../ui/link.tsx";
import { Select } from "../../ui/controls.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { MAX_AGENTS, STATUSES, type Status, useTalking } from "./data.ts";
import { Inbox } from "./inbox.tsx";
import { Submissions } from "./submissions.tsx";

export function ConversationList({ show }: { show: "conversations" | "submissions" }) {
  const { query } = usePlace();
  const talking = useTalking();
  const agent = query.get("agent") ?? "";
  const asked = query.get("state") as Status;
  const status = STATUSES.includes(asked) ? asked : "";
  const base = show === "submissions" ? href("conversations", "submissions") : href("conversations");
  const choose = (next: { agent?: string; state?: string }) => {
    const chosen = { agent, state: status as string, ...next };
    const kept = Object.entries(chosen).filter(([, value]) => value !== "");
    go(kept.length > 0 ? `${base}?${new URLSearchParams(kept)}` : base, true);
  };
  const all = talking.agents?.map((known) => known.namespace);
  const agents = agent ? [agent] : all?.slice(0, MAX_AGENTS);
  const suffix = agent ? `?${new URLSearchParams({ agent })}` : "";
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.conversations")}</h1>
        <nav className="switch" aria-label={t("inbox.views")}>
          <Link to={href("conversations") + suffix} isCurrent={show === "conversations"}>
            {t("inbox.inbox")}
          </Link>
          <Link to={href("conversations", "submissions") + suffix} isCurrent={show === "submissions"}>
            {t("inbox.submissions")}
          </Link>
        </nav>
        <span className="gap" />
        {show === "conversations" ? (
          <Select
            bare
            label={t("inbox.state")}
            value={status}
            onChange={(state) => choose({ state })}
            options={[
              { id: "", label: t("inbox.all_states") },
              ...STATUSES.map((id) => ({ id, label: t(`talk.${id}`) })),
            ]}
          />
        ) : null}
        {(all?.length ?? 0) > 1 || agent ? (
          <Select
            bare
            label={t("runs.agent")}
            value={agent}
            onChange={(next) => choose({ agent: next })}
            options={[
              { id: "", label: t("runs.all_agents") },
              ...(talking.agents ?? []).map((known) => ({
                id: known.namespace,
                label: known.name || known.namespace,
              })),
            ]}
          />
        ) : null}
      </header>
      <div className="scroll pad">
        {talking.isError ? (
          <Wrong error={talking.error} retry={() => void talking.refetch()} />
        ) : !all ? (
          <Loading />
        ) : all.length === 0 && !agent ? (
          <Empty title={t("inbox.no_agent_title")} text={t("inbox.no_agent_text")}>
            <Link to={href("forms")}>{t("inbox.to_forms")}</Link>
          </Empty>
        ) : show === "submissions" ? (
          <Submissions agents={agents} agent={agent} />
        ) : (
          <Inbox agents={agents} status={status} />
        )}
        {!agent && (all?.length ?? 0) > MAX_AGENTS ? (
          <p className="hint">{t("inbox.first_agents", { count: MAX_AGENTS })}</p>
        ) : null}
      </div>
    </div>
  );
}
