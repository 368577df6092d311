/** Amounts and days in words. */

import { dollars, number, t } from "../../i18n.ts";
import type { Metric, Row } from "./data.ts";

export function amountOf(value: number, metric: Metric): string {
  return metric === "cost" ? dollars(value) : number(Math.round(value * 10) / 10);
}

/** A day, written without its time zone: all days are of UTC. */
export function dayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const language = document.documentElement.lang;
  return new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" }).format(date);
}

/** What a key is called. */
export function keyOf(row: Row): string {
  if (!row.key) return t("spend.service");
  return row.name ? `${row.name} (${row.key})` : row.key;
}
