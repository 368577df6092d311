/** Evaluation sets, their evaluations and the values that differ. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, data, type Schemas } from "../../api.ts";

export type EvaluationSet = Schemas["EvaluationSet"];
export type Evaluation = Schemas["Evaluation"];
export type Scores = Schemas["EvaluationScores"];
export type Value = Schemas["EvaluationValue"];

export function useSets() {
  return useInfiniteQuery({
    queryKey: ["sets", "pages"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return data(api.GET("/v1/evaluation_sets", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
}

export function useSet(id: string) {
  return useQuery({
    queryKey: ["set", id],
    queryFn: ({ signal }) =>
      data(api.GET("/v1/evaluation_sets/{set_id}", { params: { path: { set_id: id } }, signal })),
  });
}

export function useEvaluations(id: string) {
  return useQuery({
    queryKey: ["evaluations", id],
    queryFn: ({ signal }) =>
      data(
        api.GET("/v1/evaluation_sets/{set_id}/evaluations", {
          params: { path: { set_id: id }, query: { limit: 100 } },
          signal,
        }),
      ),
    refetchInterval: (query) =>
      query.state.data?.evaluations.some((run) => run.state === "running") ? 1_500 : false,
  });
}

export function useScores(set: string, sid: number, base: number | undefined) {
  return useQuery({
    queryKey: ["scores", set, sid, base],
    queryFn: ({ signal }) =>
      data(
        api.GET("/v1/evaluation_sets/{set_id}/evaluations/{sid}", {
          params: { path: { set_id: set, sid }, query: base === undefined ? {} : { base } },
          signal,
        }),
      ),
    refetchInterval: (query) => (query.state.data?.state === "running" ? 1_500 : false),
  });
}

export function useValues(set: string, sid: number, base: number | undefined, state: string | undefined) {
  return useInfiniteQuery({
    queryKey: ["scores", set, sid, base, "values", state],
    enabled: state !== undefined,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/v1/evaluation_sets/{set_id}/evaluations/{sid}/values", {
          params: {
            path: { set_id: set, sid },
            query: { from_group: pageParam, limit: 100, ...(base === undefined ? {} : { base }) },
          },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.next_group ?? undefined,
  });
}

export function useTitles() {
  const asked = useQuery({
    queryKey: ["forms", "all"],
    queryFn: () => data(api.GET("/v1/form", { params: { query: { limit: 100 } } })),
  });
  const forms = asked.data?.forms ?? [];
  return { forms, titleOf: (id: string) => forms.find((form) => form.form_id === id)?.title ?? id };
}
