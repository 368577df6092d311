/** Limits of a key on requests, tokens and money. */

import type { Schemas } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { LIMITS } from "../../limits.ts";
import { isNoNumber, typedNumber } from "../../numbers.ts";
import { TextField } from "../../ui/controls.tsx";

export type Limits = Schemas["LimitsRecord"];

type Limit = (typeof LIMITS)[number];
/** The limits as they are typed. */
export type Typed = Partial<Record<Limit, string>>;

export function limitWords(limits: Limits | null | undefined): string[] {
  return LIMITS.flatMap((name) => {
    const limit = limits?.[name];
    return limit == null ? [] : [`${t(`ops.limit.${name}`)}: ${number(limit)}`];
  });
}

export function typed(limits: Limits | null | undefined): Typed {
  return Object.fromEntries(LIMITS.map((name) => [name, limits?.[name]?.toString() ?? ""]));
}

/** The limits of the request; null without any. */
export function limitsOf(values: Typed): Partial<Record<Limit, number>> | null {
  const given = LIMITS.flatMap((name) => {
    const limit = typedNumber(values[name]);
    return limit === undefined ? [] : [[name, limit]];
  });
  return given.length > 0 ? Object.fromEntries(given) : null;
}

export function areLimitsWrong(values: Typed): boolean {
  return LIMITS.some((name) => isNoNumber(values[name]));
}

export function LimitFields({ value, onChange }: { value: Typed; onChange: (value: Typed) => void }) {
  return (
    <details>
      <summary>{t("ops.limits")}</summary>
      <p className="hint">{t("ops.limits_hint")}</p>
      <div className="pair">
        {LIMITS.map((name) => (
          <TextField
            key={name}
            label={t(`ops.limit.${name}`)}
            inputMode="decimal"
            value={value[name] ?? ""}
            error={isNoNumber(value[name]) ? t("ops.not_number") : ""}
            onChange={(next) => onChange({ ...value, [name]: next })}
          />
        ))}
      </div>
    </details>
  );
}
