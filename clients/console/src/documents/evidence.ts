/** Where a document states something, and how it is marked there. */

import type { Rect } from "./rect.ts";

export interface Evidence {
  document?: string;
  file?: string;
  index?: number;
  page?: number | null;
  quote?: string;
  start?: number;
  end?: number;
  box?: Rect;
  support?: string;
  confidence?: number | null;
  accepted?: boolean;
}

export interface Mark {
  evidence: Evidence;
  kind: "main" | "other" | "conflict";
  label: string;
  pointer?: string;
}
