/** What happened, with what can be done about it; and what is empty or failed. */

import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { Failure } from "../api.ts";
import { t } from "../i18n.ts";
import { Button } from "./controls.tsx";

interface Notice {
  id: number;
  text: string;
  isError: boolean;
  undo?: () => void;
}

const SECONDS = 7;
let notices: Notice[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function tell(text: string, undo?: () => void): void {
  change([...notices.slice(-1), { id: ++count, text, isError: false, undo }]);
}

export function tellError(error: unknown): void {
  change([...notices.slice(-1), { id: ++count, text: explain(error), isError: true }]);
}

function dismiss(id: number): void {
  change(notices.filter((notice) => notice.id !== id));
}

export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  useEffect(() => {
    if (notice.isError) return;
    const timer = setTimeout(() => dismiss(notice.id), SECONDS * 1000);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className={notice.isError ? "notice red" : "notice"}>
      <span>{notice.text}</span>
      {notice.undo ? (
        <Button
          kind="small"
          onPress={() => {
            notice.undo?.();
            dismiss(notice.id);
          }}
        >
          {t("undo")}
        </Button>
      ) : null}
      <Button kind="quiet" aria-label={t("close")} onPress={() => dismiss(notice.id)}>
        ✕
      </Button>
    </div>
  );
}

/** What failed, and what to do about it. */
export function explain(error: unknown): string {
  if (!(error instanceof Failure)) return t("error.unknown");
  if (error.code === "offline") return t("error.offline");
  if (error.code === "review_changed") return t("error.review_changed");
  if (error.status === 403) return t("error.forbidden", { message: error.message });
  if (error.status === 429) return t("error.busy", { message: error.message });
  const places = error.errors
    .slice(0, 3)
    .map((item) => item.message)
    .filter((text) => text !== error.message);
  return [error.message || t("error.unknown"), ...places].join(" · ");
}

export function Wrong({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="wrong-box" role="alert">
      <span>{explain(error)}</span>
      {retry ? (
        <Button kind="small" onPress={retry}>
          {t("try_again")}
        </Button>
      ) : null}
    </div>
  );
}

export function Empty({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

export function Loading() {
  return (
    <div className="loading" role="status">
      {t("loading")}
    </div>
  );
}

/** What a form was refused for; nothing while it was not. */
export function Refused({ error }: { error: unknown }) {
  return error ? (
    <p className="wrong" role="alert">
      {explain(error)}
    </p>
  ) : null;
}
