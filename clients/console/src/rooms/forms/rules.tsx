/** The rules of one field: what its type can have, and the condition under which it applies. */

import { useState } from "react";
import { t } from "../../i18n.ts";
import { isObject } from "../../pointer.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Select, TextField } from "../../ui/controls.tsx";
import type { Definition, Schema } from "./schema.ts";

/** A typed value of what was typed in; what does not fit stays text, and the validator says so. */
export function typed(text: string, type: string): unknown {
  if (text === "") return undefined;
  if (["number", "integer"].includes(type) && text.trim() !== "" && Number.isFinite(Number(text)))
    return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

export function texts(value: unknown): string[] {
  return Array.isArray(value)
    ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item)))
    : [];
}

/** One text a line. */
export function Lines({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string[];
  onChange: (lines: string[]) => void;
}) {
  const joined = value.join("\n");
  const [text, setText] = useState(joined);
  const [before, setBefore] = useState(joined);
  if (before !== joined) {
    setBefore(joined);
    if (
      text
        .split("\n")
        .filter((line) => line.trim())
        .join("\n") !== joined
    )
      setText(joined);
  }
  return (
    <TextField
      label={label}
      hint={hint}
      rows={Math.min(8, Math.max(2, text.split("\n").length))}
      value={text}
      onChange={(next) => {
        setText(next);
        onChange(next.split("\n").filter((line) => line.trim()));
      }}
    />
  );
}

export type Setter = (key: string, value: unknown) => void;

function Num({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: number | undefined) => void;
}) {
  return (
    <TextField
      label={label}
      type="number"
      value={typeof value === "number" ? String(value) : ""}
      onChange={(text) => onChange(text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text))}
    />
  );
}

/** The rules that a type can have. */
export function Rules({ definition, type, set }: { definition: Definition; type: string; set: Setter }) {
  const number = (key: string, label: string) => (
    <Num key={key} label={label} value={definition[key]} onChange={(value) => set(key, value)} />
  );
  const text = (key: string, label: string, hint?: string, mono = false) => (
    <TextField
      key={key}
      label={label}
      mono={mono}
      hint={hint}
      value={String(definition[key] ?? "")}
      onChange={(value) => set(key, value)}
    />
  );
  const isText = ["string", "email", "date", "url"].includes(type);
  const choose = (key: string, label: string, options: string[]) => (
    <Select
      key={key}
      label={label}
      value={String(definition[key] ?? "")}
      onChange={(value) => set(key, value || undefined)}
      options={["", ...options].map((id) => ({ id, label: id || t("editor.none") }))}
    />
  );
  return (
    <>
      {["boolean", "array", "object", "money", "map", "union"].includes(type) ? null : (
        <Lines
          label={t("editor.options")}
          hint={t("editor.options_hint")}
          value={texts(definition.enum)}
          onChange={(lines) => set("enum", lines)}
        />
      )}
      {type === "union" ? (
        <Lines
          label={t("editor.types")}
          value={texts(definition.types)}
          onChange={(lines) => set("types", lines)}
        />
      ) : null}
      {isText ? (
        <>
          {text("pattern", t("editor.pattern"), t("editor.pattern_hint"), true)}
          <div className="pair">
            {number("minLength", t("editor.min_length"))}
            {number("maxLength", t("editor.max_length"))}
          </div>
        </>
      ) : null}
      {["number", "integer", "money"].includes(type) ? (
        <div className="pair">
          {number("minimum", t("editor.minimum"))}
          {number("maximum", t("editor.maximum"))}
        </div>
      ) : null}
      {["number", "integer"].includes(type) ? text("unit", t("editor.unit"), t("editor.unit_hint")) : null}
      {type === "string" ? choose("format", t("editor.format"), ["date-time", "time"]) : null}
      {type === "boolean" ? choose("format", t("editor.mark"), ["checked", "signed", "stamped"]) : null}
      {type === "date"
        ? choose("precision", t("editor.precision"), ["year", "quarter", "month", "day"])
        : null}
      {type === "money" ? (
        <Lines
          label={t("editor.currencies")}
          value={texts(definition.currencies)}
          onChange={(lines) => set("currencies", lines)}
        />
      ) : null}
      {type === "array" || type === "map" ? (
        <div className="pair">
          {number("minItems", t("editor.min_items"))}
          {number("maxItems", t("editor.max_items"))}
        </div>
      ) : null}
    </>
  );
}

/** The condition under which a field applies: other fields with one of some values. */
export function When({
  definition,
  fields,
  name,
  set,
}: {
  definition: Definition;
  fields: Schema;
  name: string;
  set: Setter;
}) {
  const canWrite = useCanWrite();
  const when = isObject(definition.when) ? definition.when : {};
  const others = Object.keys(fields).filter(
    (other) => other !== name && !["array", "object"].includes(String(fields[other]?.type)),
  );
  const free = others.filter((other) => !Object.hasOwn(when, other));
  const write = (field: string, text: string) => {
    const type = String(fields[field]?.type ?? "string");
    const values = text
      .split(",")
      .map((part) => typed(part.trim(), type))
      .filter((value) => value !== undefined);
    set("when", { ...when, [field]: values.length === 1 ? values[0] : values });
  };
  return (
    <div className="box">
      <b>{t("editor.when")}</b>
      {Object.keys(when).length === 0 ? <p className="hint">{t("editor.always")}</p> : null}
      {Object.entries(when).map(([field, value]) => (
        <Condition
          key={field}
          field={field}
          value={value}
          definition={fields[field]}
          onChange={(text) => write(field, text)}
          onRemove={() =>
            set("when", Object.fromEntries(Object.entries(when).filter(([other]) => other !== field)))
          }
        />
      ))}
      {canWrite && free.length > 0 ? (
        <Select
          bare
          label={t("editor.add_condition")}
          placeholder={t("editor.add_condition")}
          value={null}
          onChange={(field) =>
            write(
              field,
              fields[field]?.type === "boolean" ? "true" : (texts(fields[field]?.enum).find(Boolean) ?? "…"),
            )
          }
          options={free.map((id) => ({ id, label: id }))}
        />
      ) : null}
    </div>
  );
}

function Condition({
  field,
  value,
  definition,
  onChange,
  onRemove,
}: {
  field: string;
  value: unknown;
  definition?: Definition;
  onChange: (text: string) => void;
  onRemove: () => void;
}) {
  const [text, setText] = useState((Array.isArray(value) ? value : [value]).join(", "));
  return (
    <div className="condition">
      <TextField
        label={t("editor.condition", { field })}
        value={text}
        hint={
          texts(definition?.enum).length > 0 ? texts(definition?.enum).filter(Boolean).join(", ") : undefined
        }
        onChange={(next) => {
          setText(next);
          onChange(next);
        }}
      />
      <Button kind="quiet" aria-label={t("editor.remove_condition", { field })} onPress={onRemove}>
        ✕
      </Button>
    </div>
  );
}
