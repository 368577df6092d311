/** A search by words, by meaning or by both, and what each part gives to the order. */

import { useQuery } from "@tanstack/react-query";
import { api, data, type Schemas } from "../../api.ts";

export type Found = Schemas["SearchResult"];
export const MODES = ["lexical", "semantic", "hybrid"] as const;
export type Mode = (typeof MODES)[number];

/** The place of a result in the other searches, from 1; absent where it is not among their results. */
export interface Ranks {
  lexical?: number;
  semantic?: number;
}

export interface Question {
  query: string;
  limit: number;
  minScore?: number;
  neighbours?: number;
  distinct?: boolean;
  filter?: Record<string, unknown>;
}

export function useResults(base: string, mode: Mode, question: Question | undefined, isWanted: boolean) {
  return useQuery({
    queryKey: ["search", base, mode, question],
    enabled: question !== undefined && isWanted,
    staleTime: 0,
    gcTime: 60_000,
    queryFn: ({ signal }) =>
      data(
        api.POST("/v1/knowledgebase/{knowledgeId}/search", {
          params: { path: { knowledgeId: base } },
          body: { ...question, mode } as never,
          signal,
        }),
      ),
  });
}

export function ranksOf(id: string, lexical: Found[] | undefined, semantic: Found[] | undefined): Ranks {
  const place = (found: Found[] | undefined) => {
    const index = found?.findIndex((one) => one.id === id) ?? -1;
    return index < 0 ? undefined : index + 1;
  };
  return { lexical: place(lexical), semantic: place(semantic) };
}

/** The weight of the words, and the least best score by words, as the server fuses them (decision 16). */
const WORDS = 0.65;
const CONVINCING = 0.1;

/** What the words and what the meaning give to the score of a hybrid search; `best` is the best score by words. */
export function fusion(found: Found, best: number): { words: number; meaning: number } {
  // Without a vector of the question the score is that of the words alone.
  const isAlone = found.semanticScore === null && found.lexicalScore === found.score;
  if (isAlone) return { words: found.score, meaning: 0 };
  const share = (found.lexicalScore ?? 0) / Math.max(best, CONVINCING);
  const words = Math.min(found.score, WORDS * Math.min(1, share));
  return { words, meaning: Math.max(0, found.score - words) };
}
