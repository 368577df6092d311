/** What models did and cost, by day, model and key; and what the workspace may store. */

import { useState } from "react";
import { number, t } from "../../i18n.ts";
import { Select, TextField } from "../../ui/controls.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { Bars } from "./bars.tsx";
import {
  amount,
  day,
  days,
  type Filter,
  isRange,
  MAX_SERIES,
  type Metric,
  type Row,
  useSeries,
  useUsage,
} from "./data.ts";
import { DayChart, type Series } from "./days.tsx";
import { Quotas } from "./quotas.tsx";
import { amountOf, keyOf } from "./words.ts";

const SPANS = ["7", "30", "90", "365"] as const;
const METRICS = ["cost", "tokens", "requests"] as const;

export function UsageRoom() {
  const [span, setSpan] = useState<string>("30");
  const [filter, setFilter] = useState<Filter>({ from: day(29), to: day(0), model: "", key: "" });
  const [wanted, setMetric] = useState<Metric>();
  const byModel = useUsage({ ...filter, model: "" }, "model");
  const byKey = useUsage({ ...filter, key: "" }, "key");
  const byDay = useUsage(filter, "day");
  const total = byDay.data?.total;
  // Where nothing costs anything, the cost says nothing.
  const metric = wanted ?? ((total?.cost ?? 0) > 0 ? "cost" : "tokens");
  const change = (next: Partial<Filter>) => setFilter({ ...filter, ...next });
  const spans = (id: string) => {
    setSpan(id);
    if (id !== "own") change({ from: day(Number(id) - 1), to: day(0) });
  };
  const failed = [byDay, byModel, byKey].find((asked) => asked.isError);
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.usage")}</h1>
        <span className="gap" />
        <Select
          bare
          label={t("spend.span")}
          value={span}
          onChange={spans}
          options={[
            ...SPANS.map((id) => ({ id, label: t("spend.last_days", { count: id }) })),
            { id: "own", label: t("spend.own_span") },
          ]}
        />
        <Select
          bare
          label={t("spend.measure")}
          value={metric}
          onChange={(id) => setMetric(id as Metric)}
          options={METRICS.map((id) => ({ id, label: t(`spend.${id}`) }))}
        />
      </header>
      <div className="scroll pad">
        <div className="spend-filters">
          {span === "own" ? (
            <>
              <TextField
                label={t("spend.from")}
                type="date"
                value={filter.from}
                onChange={(from) => change({ from })}
                error={isRange(filter) ? undefined : t("spend.span_wrong")}
              />
              <TextField
                label={t("spend.to")}
                type="date"
                value={filter.to}
                onChange={(to) => change({ to })}
              />
            </>
          ) : null}
          <Select
            label={t("spend.model")}
            value={filter.model}
            onChange={(model) => change({ model })}
            options={[
              { id: "", label: t("spend.all_models") },
              ...named(
                byModel.data?.usage,
                filter.model,
                (row) => row.model ?? "",
                (row) => row.model ?? "",
              ),
            ]}
          />
          <Select
            label={t("spend.key")}
            value={filter.key}
            onChange={(key) => change({ key })}
            options={[
              { id: "", label: t("spend.all_keys") },
              ...named(byKey.data?.usage, filter.key, (row) => row.key ?? "", keyOf),
            ]}
          />
        </div>
        {failed ? (
          <Wrong
            error={failed.error}
            retry={() => [byDay, byModel, byKey].forEach((asked) => void asked.refetch())}
          />
        ) : !byDay.data || !byModel.data || !byKey.data || !total ? (
          isRange(filter) ? (
            <Loading />
          ) : null
        ) : total.requests === 0 ? (
          <Empty title={t("spend.empty_title")} text={t("spend.empty_text")} />
        ) : (
          <>
            <Totals total={total} />
            <Daily filter={filter} rows={byDay.data.usage} models={byModel.data.usage} metric={metric} />
            <Bars
              title={t("spend.by_model")}
              rows={byModel.data.usage.filter((row) => !filter.model || row.model === filter.model)}
              metric={metric}
              name={(row) => row.model ?? ""}
            />
            <Bars
              title={t("spend.by_key")}
              rows={byKey.data.usage.filter((row) => !filter.key || row.key === filter.key)}
              metric={metric}
              name={keyOf}
            />
          </>
        )}
        <Quotas />
      </div>
    </div>
  );
}

/** The choices that have usage, and the one that is chosen even without. */
function named(
  rows: Row[] | undefined,
  chosen: string,
  id: (row: Row) => string,
  label: (row: Row) => string,
): { id: string; label: string }[] {
  const all = (rows ?? []).filter((row) => id(row) !== "").map((row) => ({ id: id(row), label: label(row) }));
  return chosen === "" || all.some((one) => one.id === chosen)
    ? all
    : [...all, { id: chosen, label: chosen }];
}

function Totals({ total }: { total: Row }) {
  return (
    <>
      <dl className="totals">
        <div>
          <dt>{t("spend.cost")}</dt>
          <dd>{total.cost === null ? t("play.no_price") : amountOf(total.cost, "cost")}</dd>
        </div>
        <div>
          <dt>{t("spend.requests")}</dt>
          <dd>{number(total.requests)}</dd>
        </div>
        <div>
          <dt>{t("spend.input")}</dt>
          <dd>{number(total.inputTokens)}</dd>
        </div>
        <div>
          <dt>{t("spend.output")}</dt>
          <dd>{number(total.outputTokens)}</dd>
        </div>
      </dl>
      {total.unpricedRequests > 0 ? (
        <p className="hint unpriced">{t("spend.unpriced", { count: total.unpricedRequests })}</p>
      ) : null}
    </>
  );
}

interface DailyProps {
  filter: Filter;
  rows: Row[];
  models: Row[];
  metric: Metric;
}

function Daily({ filter, rows, models, metric }: DailyProps) {
  const largest = [...models]
    .sort((a, b) => amount(b, metric) - amount(a, metric))
    .flatMap((row) => (row.model && amount(row, metric) > 0 ? [row.model] : []));
  const own = filter.model ? [] : largest.slice(0, MAX_SERIES);
  const series = useSeries(filter, own);
  const isSplit = own.length > 1 && series.every((known) => known !== undefined);
  const shown: Series[] = isSplit
    ? own.map((name, index) => ({ name, rows: series[index] ?? [] }))
    : [{ name: filter.model || (largest.length === 1 ? (largest[0] ?? "") : t("spend.all_models")), rows }];
  if (isSplit && largest.length > own.length)
    shown.push({ name: t("spend.others"), rows: rest(rows, shown) });
  return (
    <section className="card">
      <h2>{t("spend.by_day")}</h2>
      <DayChart days={days(filter)} series={shown} metric={metric} />
    </section>
  );
}

/** What the named models have not. */
function rest(rows: Row[], named: Series[]): Row[] {
  return rows.map((row) => {
    const own = named.flatMap((series) => series.rows.filter((other) => other.day === row.day));
    const left = (of: (row: Row) => number) => own.reduce((sum, other) => sum - of(other), of(row));
    return {
      ...row,
      requests: left((one) => one.requests),
      inputTokens: left((one) => one.inputTokens),
      outputTokens: left((one) => one.outputTokens),
      cost: Math.max(
        0,
        left((one) => one.cost ?? 0),
      ),
    };
  });
}
