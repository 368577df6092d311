/** Models or keys, the largest first: a bar for each in a table of all that is known of it. */

import { number, t } from "../../i18n.ts";
import { amount, type Metric, type Row } from "./data.ts";
import { amountOf } from "./words.ts";

interface BarsProps {
  title: string;
  rows: Row[];
  metric: Metric;
  name: (row: Row) => string;
}

export function Bars({ title, rows, metric, name }: BarsProps) {
  const sorted = [...rows].sort((a, b) => amount(b, metric) - amount(a, metric));
  const most = Math.max(0, ...rows.map((row) => amount(row, metric)));
  return (
    <section className="card flush">
      <h2 className="card-title">{title}</h2>
      <div className="wide-table" tabIndex={0} role="region" aria-label={title}>
        <table className="plain">
          <thead>
            <tr>
              <th>{t("spend.name")}</th>
              <th className="wide-only">
                <span className="unseen">{t("spend.share")}</span>
              </th>
              <th className="end">{t("spend.cost")}</th>
              <th className="end">{t("spend.requests")}</th>
              <th className="end">{t("spend.input")}</th>
              <th className="end">{t("spend.output")}</th>
              <th className="end">{t("spend.cached")}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <tr key={name(row)}>
                <td>
                  <bdi>{name(row)}</bdi>
                </td>
                <td className="wide-only">
                  <svg className="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                    <rect
                      className="series-0"
                      width={most > 0 ? (amount(row, metric) / most) * 100 : 0}
                      height="10"
                    />
                  </svg>
                </td>
                <td className="end">{row.cost === null ? t("play.no_price") : amountOf(row.cost, "cost")}</td>
                <td className="end">{number(row.requests)}</td>
                <td className="end">{number(row.inputTokens)}</td>
                <td className="end">{number(row.outputTokens)}</td>
                <td className="end">{number(row.cachedTokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
