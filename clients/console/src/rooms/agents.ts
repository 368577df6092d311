/** The agents of the workspace, and how they are called. */

import { useQuery } from "@tanstack/react-query";
import { api, data } from "../api.ts";

export function useAgents() {
  return useQuery({
    queryKey: ["agents"],
    queryFn: () => data(api.GET("/v1/agent", { params: { query: { limit: 100 } } })),
  });
}

/** The agent that tries the form, at a version. */
export function previewName(formId: string): string {
  return `preview-${formId.slice(-12).toLowerCase()}`;
}

/** Whether an agent only tries a form in the designer. */
export function isPreview(namespace: string): boolean {
  return namespace.startsWith("preview-");
}

/** A namespace of a title. */
export function slug(title: string): string {
  const plain = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain.slice(0, 40).replace(/-+$/, "") || "form";
}
