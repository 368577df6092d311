/** The place of the page: rooms are paths below `/console`. */

import { useSyncExternalStore } from "react";

const BASE = "/console";
const CHANGE = "formwork:place";

export interface Place {
  path: string[];
  query: URLSearchParams;
}

let seen = "";
let place: Place = { path: [], query: new URLSearchParams() };

function current(): Place {
  const { pathname, search } = window.location;
  if (seen !== pathname + search) {
    seen = pathname + search;
    const segments = pathname.slice(BASE.length).split("/").filter(Boolean);
    place = { path: segments.map(decode), query: new URLSearchParams(search) };
  }
  return place;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function href(...path: (string | number)[]): string {
  return [BASE, ...path.map((segment) => encodeURIComponent(segment))].join("/");
}

/** Asked before the place changes; false keeps it. */
let guard: (() => boolean) | undefined;

export function setGuard(next: (() => boolean) | undefined): void {
  guard = next;
}

export function go(to: string, replace = false): void {
  if (!replace && guard && !guard()) return;
  window.history[replace ? "replaceState" : "pushState"](null, "", to);
  window.dispatchEvent(new Event(CHANGE));
}

export function usePlace(): Place {
  return useSyncExternalStore((listener) => {
    window.addEventListener("popstate", listener);
    window.addEventListener(CHANGE, listener);
    return () => {
      window.removeEventListener("popstate", listener);
      window.removeEventListener(CHANGE, listener);
    };
  }, current);
}
