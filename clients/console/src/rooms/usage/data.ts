/** Usage by day, model and key. */

import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { api, data, type Schemas } from "../../api.ts";

export type Row = Schemas["UsageRecord"];
export type Sums = Schemas["UsageSums"];
export type Metric = "cost" | "tokens" | "requests";

/** Models that have a colour of their own in the chart of days. */
export const MAX_SERIES = 4;
const DAY = 86_400_000;

export interface Range {
  from: string;
  to: string;
}

export interface Filter extends Range {
  model: string;
  key: string;
}

/** A day of UTC, so many days ago. */
export function day(ago: number): string {
  return new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);
}

/** The days of a range, at most a year. */
export function days({ from, to }: Range): string[] {
  const [first, last] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  const count = Math.min(366, Math.max(0, Math.round((last - first) / DAY) + 1));
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY).toISOString().slice(0, 10),
  );
}

/** What is wrong with a range. */
export function isRange({ from, to }: Range): boolean {
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay(from) && isDay(to) && from <= to && Date.parse(to) - Date.parse(from) <= 365 * DAY;
}

export function amount(sums: Sums, metric: Metric): number {
  if (metric === "cost") return sums.cost ?? 0;
  return metric === "tokens" ? sums.inputTokens + sums.outputTokens : sums.requests;
}

function query({ from, to, model, key }: Filter, by: "day" | "model" | "key") {
  return { from, to, by, ...(model ? { model } : {}), ...(key ? { key } : {}) };
}

export function useUsage(filter: Filter, by: "day" | "model" | "key") {
  return useQuery({
    queryKey: ["usage", by, filter],
    enabled: isRange(filter),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => data(api.GET("/v1/usage", { params: { query: query(filter, by) }, signal })),
  });
}

/** The days of some models. */
export function useSeries(filter: Filter, models: string[]): (Row[] | undefined)[] {
  return useQueries({
    queries: models.map((model) => ({
      queryKey: ["usage", "day", { ...filter, model }],
      enabled: isRange(filter),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        data(api.GET("/v1/usage", { params: { query: query({ ...filter, model }, "day") }, signal })),
    })),
  }).map((asked) => asked.data?.usage);
}

export function useQuotas() {
  return useQuery({ queryKey: ["quotas"], queryFn: () => data(api.GET("/v1/quotas")) });
}
