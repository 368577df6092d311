/** A knowledge base: its items, its search, answers from it, its settings. */

import { t } from "../../i18n.ts";
import { href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { Places, Up } from "../../ui/places.tsx";
import { Ask } from "./ask.tsx";
import { useBase, useLiveBase } from "./data.ts";
import { Items } from "./items.tsx";
import { BaseState } from "./list.tsx";
import { Search } from "./search.tsx";
import { BaseSettings } from "./settings.tsx";

const PARTS = ["items", "search", "ask", "settings"] as const;
type Part = (typeof PARTS)[number];

export function KnowledgeRoom({ id, part }: { id: string; part?: string }) {
  const canWrite = useCanWrite();
  const asked = useBase(id);
  useLiveBase(asked.data);
  // Answers call a model, and settings change the base.
  const parts = PARTS.filter((name) => canWrite || name === "items" || name === "search");
  const current: Part = parts.find((name) => name === part) ?? "items";
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  const base = asked.data;
  return (
    <div className="room">
      <header className="head">
        <Up to={href("knowledge")} label={t("nav.knowledge")} />
        <h1>
          <bdi>{base.name}</bdi>
        </h1>
        <span role="status">
          <BaseState base={base} />
        </span>
        <span className="gap" />
        <Places
          label={t("kb.parts")}
          places={parts.map((name) => ({
            to: name === "items" ? href("knowledge", id) : href("knowledge", id, name),
            label: t(`kb.part.${name}`),
            isCurrent: name === current,
          }))}
        />
      </header>
      {current === "items" ? <Items base={base} /> : null}
      {current === "search" ? <Search base={base} /> : null}
      {current === "ask" ? <Ask base={base} /> : null}
      {current === "settings" ? <BaseSettings key={base.knowledgeId} base={base} /> : null}
    </div>
  );
}
