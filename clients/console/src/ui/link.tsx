/** A link within the console. */

import type { ReactNode } from "react";
import { go } from "../router.ts";

export function Link({ to, isCurrent, children }: { to: string; isCurrent?: boolean; children: ReactNode }) {
  return (
    <a
      href={to}
      aria-current={isCurrent ? "page" : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
