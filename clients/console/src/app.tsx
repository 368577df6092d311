/** The frame: navigation, the room, sign-in where it is needed. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { RouterProvider } from "react-aria-components";
import type { Me } from "./api.ts";
import { LANGUAGES, type Language, setLanguage, t, useLanguage } from "./i18n.ts";
import { ConversationList } from "./rooms/conversations/list.tsx";
import { ConversationRoom } from "./rooms/conversations/room.tsx";
import { EvaluationRoom } from "./rooms/evaluations/room.tsx";
import { EvaluationSets } from "./rooms/evaluations/list.tsx";
import { EvaluationSetRoom } from "./rooms/evaluations/set.tsx";
import { KnowledgeList } from "./rooms/knowledge/list.tsx";
import { KnowledgeRoom } from "./rooms/knowledge/room.tsx";
import { OperationsRoom } from "./rooms/operations/room.tsx";
import { FormRoom } from "./rooms/forms/room.tsx";
import { FormList } from "./rooms/forms/list.tsx";
import { Playground } from "./rooms/playground/room.tsx";
import { ReviewQueue } from "./rooms/runs/queue.tsx";
import { RunList } from "./rooms/runs/list.tsx";
import { RunRoom } from "./rooms/runs/room.tsx";
import { UsageRoom } from "./rooms/usage/room.tsx";
import { SignIn } from "./rooms/sign-in/room.tsx";
import { go, href, type Place, usePlace } from "./router.ts";
import { Signed, signOut, useMe, useSession } from "./session.tsx";
import { setTheme, THEMES, type Theme, theme } from "./theme.ts";
import { Menu } from "./ui/controls.tsx";
import { Link } from "./ui/link.tsx";
import { Loading, Notices, Wrong } from "./ui/notices.tsx";

export function App() {
  useLanguage();
  const { me, error } = useSession();
  // A session that ends leaves the room as it is, below the sign-in, so that no work is lost.
  const last = useRef<Me | null>(null);
  if (me) last.current = me;
  const shown = me ?? last.current;
  return (
    <RouterProvider navigate={go}>
      {shown ? (
        <Signed me={shown}>
          <Frame />
          {me ? null : <SignIn expired={shown} />}
        </Signed>
      ) : me === null ? (
        <SignIn />
      ) : error && error.status !== 0 ? (
        <Wrong error={error} />
      ) : (
        <Loading />
      )}
      <Notices />
    </RouterProvider>
  );
}

const ROOMS = [
  ["forms", "nav.forms"],
  ["runs", "nav.runs"],
  ["review", "nav.review"],
  ["conversations", "nav.conversations"],
  ["knowledge", "nav.knowledge"],
  ["playground", "nav.playground"],
  ["usage", "nav.usage"],
  ["operations", "nav.operations"],
] as const;

function Frame() {
  const place = usePlace();
  const [room = "runs"] = place.path;
  useEffect(() => {
    const known = ROOMS.find(([name]) => name === room);
    document.title = `${t(known?.[1] ?? "nav.runs")} · Formwork`;
    // On a narrow screen the rooms are a row that scrolls.
    document.querySelector(".rooms [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [room]);
  return (
    <div className="app">
      <a className="skip" href="#room">
        {t("skip")}
      </a>
      <nav className="nav" aria-label={t("nav.rooms")}>
        <div className="logo" aria-hidden="true">
          ▣ Formwork
        </div>
        <div className="rooms">
          {ROOMS.map(([name, words]) => (
            <Link key={name} to={href(name)} isCurrent={room === name}>
              {t(words)}
            </Link>
          ))}
        </div>
        <Foot />
      </nav>
      <main id="room" tabIndex={-1}>
        <Room place={place} />
      </main>
    </div>
  );
}

function Room({ place }: { place: Place }) {
  const [room, first, second, third] = place.path;
  if (room === "forms" && first === "evaluations") {
    if (second && third)
      return <EvaluationRoom key={`${second}/${third}`} set={second} sid={Number(third)} />;
    return second ? <EvaluationSetRoom key={second} id={second} /> : <EvaluationSets />;
  }
  if (room === "forms") return first ? <FormRoom key={first} id={first} /> : <FormList />;
  if (room === "conversations") {
    if (first && second) return <ConversationRoom key={`${first}/${second}`} namespace={first} id={second} />;
    return <ConversationList show={first === "submissions" ? "submissions" : "conversations"} />;
  }
  if (room === "playground") return <Playground />;
  if (room === "usage") return <UsageRoom />;
  if (room === "operations") return <OperationsRoom part={first} id={second} />;
  if (room === "knowledge")
    return first ? <KnowledgeRoom key={first} id={first} part={second} /> : <KnowledgeList />;
  if (room === "review") return <ReviewQueue />;
  if (room === "runs" && first && second)
    return <RunRoom key={`${first}/${second}`} namespace={first} sid={Number(second)} />;
  return <RunList />;
}

function Foot() {
  const me = useMe();
  const language = useLanguage();
  const client = useQueryClient();
  const [colours, setColours] = useState<Theme>(theme());
  const act = (id: string) => {
    const [kind, value = ""] = id.split(":");
    if (kind === "theme") {
      setTheme(value as Theme);
      setColours(value as Theme);
    } else if (kind === "language") setLanguage(value as Language);
    else if (kind === "docs") window.location.assign("/docs");
    else
      void signOut().then(
        () => window.location.assign(href()),
        () => client.invalidateQueries(),
      );
  };
  const mark = (isOn: boolean, text: string) => (isOn ? `✓ ${text}` : text);
  const items = [
    ...THEMES.map((name) => ({ id: `theme:${name}`, label: mark(name === colours, t(`theme.${name}`)) })),
    ...Object.entries(LANGUAGES).map(([name, label]) => ({
      id: `language:${name}`,
      label: mark(name === language, label),
    })),
    { id: "docs", label: t("nav.reference") },
    { id: "out", label: t("sign_out") },
  ];
  return (
    <div className="foot">
      <div className="who">
        <bdi>{me.workspace}</bdi>
        <br />
        <bdi>{me.userName}</bdi> · {t(`role.${me.role as "owner" | "member" | "viewer"}`)}
      </div>
      <Menu label={t("nav.settings")} kind="quiet" items={items} onAction={act} />
    </div>
  );
}
