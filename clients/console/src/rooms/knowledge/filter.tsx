/** Conditions on the properties of items. */

import { t } from "../../i18n.ts";
import { Button, Select, TextField } from "../../ui/controls.tsx";
import { parseValue } from "./meta.ts";

export const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"] as const;
type Operator = (typeof OPERATORS)[number];

export interface Condition {
  field: string;
  operator: Operator;
  value: string;
}

export interface Conditions {
  rows: Condition[];
  /** Whether one of them is enough. */
  isAny: boolean;
}

/** The filter of the conditions that name a property; none without any. */
export function filterOf({ rows, isAny }: Conditions): Record<string, unknown> | undefined {
  const filters = rows
    .filter((row) => row.field.trim() && row.value.trim())
    .map((row) => ({ [row.field.trim()]: { [row.operator]: operand(row) } }));
  if (filters.length < 2) return filters[0];
  return { [isAny ? "or" : "and"]: filters };
}

function operand(row: Condition): unknown {
  const isList = row.operator === "in" || row.operator === "nin";
  if (!isList) return parseValue(row.value.trim());
  const value = parseValue(row.value.trim());
  return Array.isArray(value) ? value : row.value.split(",").map((part) => parseValue(part.trim()));
}

interface FilterProps {
  value: Conditions;
  onChange: (value: Conditions) => void;
}

export function Filter({ value, onChange }: FilterProps) {
  const { rows, isAny } = value;
  const change = (index: number, part: Partial<Condition>) =>
    onChange({ ...value, rows: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return (
    <fieldset className="stack bare">
      <legend>{t("kb.filter")}</legend>
      <p className="hint">{t("kb.filter_hint")}</p>
      {rows.length > 1 ? (
        <Select
          bare
          label={t("kb.filter_join")}
          value={isAny ? "any" : "all"}
          onChange={(id) => onChange({ ...value, isAny: id === "any" })}
          options={[
            { id: "all", label: t("kb.filter_all") },
            { id: "any", label: t("kb.filter_any") },
          ]}
        />
      ) : null}
      {rows.map((row, index) => (
        <div className="condition-row" key={index}>
          <TextField
            label={t("kb.filter_field")}
            value={row.field}
            onChange={(field) => change(index, { field })}
            placeholder="year"
          />
          <Select
            label={t("kb.filter_operator")}
            value={row.operator}
            onChange={(operator) => change(index, { operator: operator as Operator })}
            options={OPERATORS.map((id) => ({ id, label: t(`kb.op.${id}`) }))}
          />
          <TextField
            label={t("kb.filter_value")}
            value={row.value}
            onChange={(next) => change(index, { value: next })}
            placeholder="2026"
          />
          <Button
            kind="quiet"
            aria-label={t("kb.filter_remove", { field: row.field || String(index + 1) })}
            onPress={() => onChange({ ...value, rows: rows.filter((_, at) => at !== index) })}
          >
            ✕
          </Button>
        </div>
      ))}
      <div className="actions start">
        <Button
          kind="small"
          onPress={() => onChange({ ...value, rows: [...rows, { field: "", operator: "eq", value: "" }] })}
        >
          {t("kb.filter_add")}
        </Button>
      </div>
    </fieldset>
  );
}
