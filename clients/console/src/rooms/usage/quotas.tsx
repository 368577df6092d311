/** What the workspace may store, and the limits of the key. */

import type { Schemas } from "../../api.ts";
import { dollars, number, t } from "../../i18n.ts";
import { LIMITS } from "../../limits.ts";
import { useMe } from "../../session.tsx";
import { Wrong } from "../../ui/notices.tsx";
import { useQuotas } from "./data.ts";

const NAMES = ["files", "bytes", "chunks", "groups"] as const;
/** The part of a quota from which on it is told as nearly used up. */
const NEARLY = 0.9;

export function Quotas() {
  const asked = useQuotas();
  const { limits } = useMe().key;
  const told = LIMITS.filter((name) => limits?.[name] != null);
  return (
    <section className="card">
      <h2>{t("spend.quotas")}</h2>
      <p className="hint">{t("spend.quotas_text")}</p>
      {asked.isError ? <Wrong error={asked.error} retry={() => void asked.refetch()} /> : null}
      {asked.data ? (
        <ul className="quotas">
          {NAMES.map((name) => (
            <Quota key={name} name={name} quota={asked.data[name]} />
          ))}
        </ul>
      ) : null}
      {told.length > 0 ? (
        <>
          <h3>{t("spend.limits")}</h3>
          <ul className="quotas">
            {told.map((name) => (
              <li key={name}>
                <span>{t(`limit.${name}`)}</span>
                <b>{name.startsWith("cost") ? dollars(limits?.[name] ?? 0) : number(limits?.[name] ?? 0)}</b>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function Quota({ name, quota }: { name: (typeof NAMES)[number]; quota: Schemas["QuotaRecord"] }) {
  const { used, limit } = quota;
  const amount = (value: number) => (name === "bytes" ? size(value) : number(value));
  const label = t(`quota.${name}`);
  const isNear = typeof limit === "number" && used >= limit * NEARLY;
  return (
    <li>
      <span>{label}</span>
      <b>
        {typeof limit === "number"
          ? t("spend.of", { used: amount(used), limit: amount(limit) })
          : t("spend.no_limit", { used: amount(used) })}
      </b>
      {typeof limit === "number" ? (
        <progress value={Math.min(used, limit)} max={Math.max(1, limit)} aria-label={label} />
      ) : null}
      {isNear ? <span className="pill warn">{t("spend.nearly")}</span> : null}
    </li>
  );
}

/** A size in the largest unit of which it has at least one. */
function size(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${number(Math.round(value * 10) / 10)} ${units[at]}`;
}
