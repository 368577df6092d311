/** The chart of days: bars of the models, stacked, with the same as a table. */

import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { t } from "../../i18n.ts";
import { amountOf, dayOf } from "./words.ts";
import { amount, type Metric, type Row } from "./data.ts";

/** Pixels of the chart before it is measured, and between two days that are named. */
const WIDTH = 960;
const NAMED = 90;
const HEIGHT = 220;
const LEFT = 64;
const BOTTOM = 24;
const TOP = 10;

export interface Series {
  name: string;
  rows: Row[];
}

interface DaysProps {
  days: string[];
  series: Series[];
  metric: Metric;
}

/** A round number from a value on, for the top of an axis. */
function ceiling(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((step) => step * unit).find((step) => step >= value) ?? value;
}

/** The width of an element, so that texts in a picture keep their size. */
function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(WIDTH);
  useLayoutEffect(() => {
    const here = box.current;
    if (!here) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, here.clientWidth)));
    observer.observe(here);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

export function DayChart({ days, series, metric }: DaysProps) {
  const values = series.map(({ rows }) => {
    const byDay = new Map(rows.map((row) => [row.day ?? "", amount(row, metric)]));
    return days.map((day) => byDay.get(day) ?? 0);
  });
  const box = useRef<HTMLElement>(null);
  const width = useWidth(box);
  const totals = days.map((_, index) => values.reduce((sum, own) => sum + (own[index] ?? 0), 0));
  const highest = Math.max(0, ...totals);
  const top = ceiling(highest);
  const best = totals.indexOf(highest);
  const step = (width - LEFT) / Math.max(1, days.length);
  const height = HEIGHT - BOTTOM - TOP;
  const y = (value: number) => TOP + height - (value / top) * height;
  const every = Math.max(1, Math.ceil(NAMED / step));
  const label =
    highest > 0
      ? t("spend.chart", {
          metric: t(`spend.${metric}`),
          from: dayOf(days[0] ?? ""),
          to: dayOf(days.at(-1) ?? ""),
          most: amountOf(highest, metric),
          day: dayOf(days[best] ?? ""),
        })
      : t("spend.chart_empty");
  return (
    <figure className="chart" ref={box}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="axis" x1={LEFT} x2={width} y1={y(top * part)} y2={y(top * part)} />
            <text x={LEFT - 8} y={y(top * part) + 4} textAnchor="end">
              {amountOf(top * part, metric)}
            </text>
          </g>
        ))}
        {days.map((day, index) => {
          let below = 0;
          return (
            <g key={day}>
              {values.map((own, number) => {
                const value = own[index] ?? 0;
                const start = below;
                below += value;
                return value > 0 ? (
                  <rect
                    key={number}
                    className={`series-${number}`}
                    x={LEFT + index * step + step * 0.12}
                    width={step * 0.76}
                    y={y(below)}
                    height={Math.max(0.5, y(start) - y(below))}
                  />
                ) : null;
              })}
              {index % every === 0 ? (
                <text x={LEFT + (index + 0.5) * step} y={HEIGHT - 6} textAnchor="middle">
                  {dayOf(day)}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
      <figcaption>
        <ul className="keys-of">
          {series.map(({ name }, number) => (
            <li key={name}>
              <svg className="swatch" viewBox="0 0 12 12" aria-hidden="true">
                <rect className={`series-${number}`} width="12" height="12" />
              </svg>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      </figcaption>
      <details>
        <summary>{t("spend.as_table")}</summary>
        <div className="wide-table tall" tabIndex={0} role="region" aria-label={t("spend.by_day")}>
          <table className="plain">
            <thead>
              <tr>
                <th>{t("spend.day")}</th>
                {series.map(({ name }) => (
                  <th className="end" key={name}>
                    <bdi>{name}</bdi>
                  </th>
                ))}
                {series.length > 1 ? <th className="end">{t("spend.total")}</th> : null}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) =>
                (totals[index] ?? 0) > 0 ? (
                  <tr key={day}>
                    <td>{dayOf(day)}</td>
                    {values.map((own, number) => (
                      <td className="end" key={number}>
                        {amountOf(own[index] ?? 0, metric)}
                      </td>
                    ))}
                    {series.length > 1 ? (
                      <td className="end">{amountOf(totals[index] ?? 0, metric)}</td>
                    ) : null}
                  </tr>
                ) : null,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
