/** How right each field is. A field is chosen to see its values alone. */

import { number, t } from "../../i18n.ts";
import { words as placeWords } from "../../pointer.ts";
import type { Scores } from "./data.ts";

export function percent(share: number): string {
  return `${number(Math.round(share * 1000) / 10)}\u00a0%`;
}

interface FieldScoresProps {
  fields: Scores["fields"];
  chosen: string;
  onChoose: (field: string) => void;
}

export function FieldScores({ fields, chosen, onChoose }: FieldScoresProps) {
  if (fields.length === 0) return null;
  return (
    <div className="pad flat">
      <div className="card flush">
        <table className="plain">
          <thead>
            <tr>
              <th>{t("forms.field")}</th>
              <th>{t("eval.accuracy")}</th>
              <th className="end">{t("eval.outcome.wrong")}</th>
              <th className="end">{t("eval.outcome.missing")}</th>
              <th className="end">{t("eval.outcome.invented")}</th>
              <th className="end wide-only">{t("eval.compared")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field.field}>
                <td>
                  <button
                    type="button"
                    className="chip"
                    aria-pressed={field.field === chosen}
                    onClick={() => onChoose(field.field === chosen ? "" : field.field)}
                  >
                    <bdi>{placeWords(field.field)}</bdi>
                  </button>
                </td>
                <td>
                  {field.accuracy ? (
                    <span className="line-up">
                      <span className="bar" aria-hidden="true">
                        <i className="good" style={{ width: `${field.accuracy.value * 100}%` }} />
                      </span>
                      {percent(field.accuracy.value)}
                    </span>
                  ) : (
                    "–"
                  )}
                </td>
                <td className="end">{number(field.wrong)}</td>
                <td className="end">{number(field.missing)}</td>
                <td className="end">{number(field.invented)}</td>
                <td className="end wide-only">{number(field.values)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
