/** One field: what it is called, what it takes, and when it is asked for. */

import { useEffect, useState } from "react";
import { t } from "../../i18n.ts";
import { isObject } from "../../pointer.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Checkbox, Select, TextField } from "../../ui/controls.tsx";
import { type Definition, find, freeName, innerPath, rename, replace, type Schema, siblings, SIGNS, TYPES } from "./schema.ts";

interface EditorProps {
  schema: Schema;
  path: string[];
  errors: string[];
  onChange: (schema: Schema, what: string) => void;
  onSelect: (path: string[] | undefined) => void;
  onRemove: (path: string[]) => void;
}

export function Editor({ schema, path, errors, onChange, onSelect, onRemove }: EditorProps) {
  const canWrite = useCanWrite();
  const definition = find(schema, path) ?? {};
  const name = path.at(-1) ?? "";
  const set = (key: string, value: unknown) => onChange(replace(schema, [...path, key], isBlank(value) ? undefined : value), `${path.join("/")}.${key}`);
  const type = String(definition.type ?? "string");
  const item = type === "array" ? definition.items : type === "map" ? definition.values : undefined;
  const inner = innerPath(path, definition);
  const addInner = () => {
    if (!inner) return;
    const fields = (find(schema, inner) ?? {}) as Schema;
    const added = freeName(fields, "field");
    onChange(replace(schema, [...inner, added], { type: "string" }), "");
    onSelect([...inner, added]);
  };
  return (
    <section className="col editor" aria-label={t("editor.title", { name })}>
      <div className="hd">
        <bdi>{name}</bdi> <span className="pill">{t(`type.${type as "string"}`)}</span>
        <span className="gap" />
        {canWrite ? (
          <Button kind="small" onPress={() => onRemove(path)}>
            {t("remove")}
          </Button>
        ) : null}
      </div>
      <fieldset className="form" disabled={!canWrite}>
        {errors.map((error) => (
          <p className="wrong" role="alert" key={error}>
            {error}
          </p>
        ))}
        <Name schema={schema} path={path} onChange={onChange} onSelect={onSelect} />
        <div className="pair">
          <Select label={t("editor.type")} value={type} isDisabled={!canWrite} onChange={(next) => onChange(replace(schema, path, converted(definition, next)), "")} options={TYPES.map((id) => ({ id, label: `${SIGNS[id]}  ${t(`type.${id}`)}` }))} />
          {item ? (
            <Select
              label={type === "map" ? t("editor.values") : t("editor.entries")}
              value={String(item.type ?? "string")}
              isDisabled={!canWrite}
              onChange={(next) => set(type === "map" ? "values" : "items", converted(item, next))}
              options={TYPES.filter((id) => id !== "array" && id !== "map").map((id) => ({ id, label: t(`type.${id}`) }))}
            />
          ) : null}
        </div>
        <TextField label={t("editor.description")} value={String(definition.description ?? "")} onChange={(value) => set("description", value)} rows={2} hint={t("editor.description_hint")} />
        <div className="pair">
          <Checkbox isSelected={definition.required === true} onChange={(is) => set("required", is || undefined)} isDisabled={!canWrite}>
            {t("editor.required")}
          </Checkbox>
        </div>
        {inner && canWrite ? <Button onPress={addInner}>+ {t("editor.add_inner")}</Button> : null}
        <Rules definition={definition} type={type} set={set} />
        <When definition={definition} fields={siblings(schema, path)} name={name} set={set} />
        <details open={Boolean(definition.rules || definition.computed)}>
          <summary>{t("editor.between")}</summary>
          <Lines label={t("editor.rules")} hint={t("editor.rules_hint")} value={rulesText(definition.rules)} onChange={(lines) => set("rules", rulesOf(lines, definition.rules))} />
          <TextField label={t("editor.computed")} mono value={String(definition.computed ?? "")} onChange={(value) => set("computed", value)} hint={t("editor.computed_hint")} />
        </details>
        <details open={Boolean(definition.aliases || definition.instructions || definition.examples)}>
          <summary>{t("editor.documents")}</summary>
          <Lines label={t("editor.aliases")} hint={t("editor.aliases_hint")} value={texts(definition.aliases)} onChange={(lines) => set("aliases", lines)} />
          <TextField label={t("editor.instructions")} value={String(definition.instructions ?? "")} onChange={(value) => set("instructions", value)} rows={2} />
          <Lines label={t("editor.examples")} value={texts(definition.examples)} onChange={(lines) => set("examples", lines.map((line) => typed(line, type)))} />
          {["array", "object", "money", "map", "union"].includes(type) ? null : <TextField label={t("editor.default")} value={definition.default === undefined ? "" : String(definition.default)} onChange={(value) => set("default", typed(value, type))} hint={t("editor.default_hint")} />}
        </details>
        <Raw definition={definition} onChange={(next) => onChange(replace(schema, path, next), "")} />
      </fieldset>
    </section>
  );
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

/** Keys that every type keeps when a field gets another type. */
const COMMON = ["order", "description", "instructions", "aliases", "required", "when"];

function converted(definition: Definition, type: string): Definition {
  const kept = Object.fromEntries(Object.entries(definition).filter(([key]) => COMMON.includes(key)));
  if (type === "object") return { type, ...kept, properties: definition.properties ?? { field: { type: "string" } } };
  if (type === "array") return { type, ...kept, items: definition.items ?? { type: "string" } };
  if (type === "map") return { type, ...kept, values: { type: "string" } };
  if (type === "union") return { type, ...kept, types: ["number", "string"] };
  return { type, ...kept };
}

/** A typed value of what was typed in; what does not fit stays text, and the validator says so. */
function typed(text: string, type: string): unknown {
  if (text === "") return undefined;
  if (["number", "integer"].includes(type) && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))) : [];
}

function rulesText(rules: unknown): string[] {
  return Array.isArray(rules) ? rules.map((rule) => (typeof rule === "string" ? rule : isObject(rule) ? String(rule.check ?? "") : "")) : [];
}

/** Rules keep their tolerance and message as long as their condition is the same. */
function rulesOf(lines: string[], before: unknown): unknown[] {
  const known = Array.isArray(before) ? before : [];
  return lines.map((line) => known.find((rule) => isObject(rule) && rule.check === line) ?? line);
}

function Name({ schema, path, onChange, onSelect }: Pick<EditorProps, "schema" | "path" | "onChange" | "onSelect">) {
  const name = path.at(-1) ?? "";
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const isTaken = text !== name && Object.hasOwn(siblings(schema, path), text);
  const apply = () => {
    const next = text.trim();
    if (next === "" || next === name || isTaken) return setText(name);
    onChange(rename(schema, path, next), "");
    onSelect([...path.slice(0, -1), next]);
  };
  return (
    <TextField
      label={t("editor.name")}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
      error={isTaken ? t("editor.taken") : undefined}
    />
  );
}

/** One text a line. */
function Lines({ label, hint, value, onChange }: { label: string; hint?: string; value: string[]; onChange: (lines: string[]) => void }) {
  const joined = value.join("\n");
  const [text, setText] = useState(joined);
  const [before, setBefore] = useState(joined);
  if (before !== joined) {
    setBefore(joined);
    if (text.split("\n").filter((line) => line.trim()).join("\n") !== joined) setText(joined);
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

type Setter = (key: string, value: unknown) => void;

function Num({ label, value, onChange }: { label: string; value: unknown; onChange: (value: number | undefined) => void }) {
  return <TextField label={label} type="number" value={typeof value === "number" ? String(value) : ""} onChange={(text) => onChange(text === "" || !Number.isFinite(Number(text)) ? undefined : Number(text))} />;
}

/** The rules that a type can have. */
function Rules({ definition, type, set }: { definition: Definition; type: string; set: Setter }) {
  const number = (key: string, label: string) => <Num key={key} label={label} value={definition[key]} onChange={(value) => set(key, value)} />;
  const text = (key: string, label: string, hint?: string, mono = false) => <TextField key={key} label={label} mono={mono} hint={hint} value={String(definition[key] ?? "")} onChange={(value) => set(key, value)} />;
  const isText = ["string", "email", "date", "url"].includes(type);
  const choose = (key: string, label: string, options: string[]) => (
    <Select key={key} label={label} value={String(definition[key] ?? "")} onChange={(value) => set(key, value || undefined)} options={["", ...options].map((id) => ({ id, label: id || t("editor.none") }))} />
  );
  return (
    <>
      {["boolean", "array", "object", "money", "map", "union"].includes(type) ? null : <Lines label={t("editor.options")} hint={t("editor.options_hint")} value={texts(definition.enum)} onChange={(lines) => set("enum", lines)} />}
      {type === "union" ? <Lines label={t("editor.types")} value={texts(definition.types)} onChange={(lines) => set("types", lines)} /> : null}
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
      {type === "date" ? choose("precision", t("editor.precision"), ["year", "quarter", "month", "day"]) : null}
      {type === "money" ? <Lines label={t("editor.currencies")} value={texts(definition.currencies)} onChange={(lines) => set("currencies", lines)} /> : null}
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
function When({ definition, fields, name, set }: { definition: Definition; fields: Schema; name: string; set: Setter }) {
  const canWrite = useCanWrite();
  const when = isObject(definition.when) ? definition.when : {};
  const others = Object.keys(fields).filter((other) => other !== name && !["array", "object"].includes(String(fields[other]?.type)));
  const free = others.filter((other) => !Object.hasOwn(when, other));
  const write = (field: string, text: string) => {
    const type = String(fields[field]?.type ?? "string");
    const values = text.split(",").map((part) => typed(part.trim(), type)).filter((value) => value !== undefined);
    set("when", { ...when, [field]: values.length === 1 ? values[0] : values });
  };
  return (
    <div className="box">
      <b>{t("editor.when")}</b>
      {Object.keys(when).length === 0 ? <p className="hint">{t("editor.always")}</p> : null}
      {Object.entries(when).map(([field, value]) => (
        <Condition key={field} field={field} value={value} definition={fields[field]} onChange={(text) => write(field, text)} onRemove={() => set("when", Object.fromEntries(Object.entries(when).filter(([other]) => other !== field)))} />
      ))}
      {canWrite && free.length > 0 ? (
        <Select
          bare
          label={t("editor.add_condition")}
          placeholder={t("editor.add_condition")}
          value={null}
          onChange={(field) => write(field, fields[field]?.type === "boolean" ? "true" : texts(fields[field]?.enum).find(Boolean) ?? "…")}
          options={free.map((id) => ({ id, label: id }))}
        />
      ) : null}
    </div>
  );
}

function Condition({ field, value, definition, onChange, onRemove }: { field: string; value: unknown; definition?: Definition; onChange: (text: string) => void; onRemove: () => void }) {
  const [text, setText] = useState((Array.isArray(value) ? value : [value]).join(", "));
  return (
    <div className="condition">
      <TextField
        label={t("editor.condition", { field })}
        value={text}
        hint={texts(definition?.enum).length > 0 ? texts(definition?.enum).filter(Boolean).join(", ") : undefined}
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

/** The whole definition as JSON, with what has no control of its own. */
function Raw({ definition, onChange }: { definition: Definition; onChange: (next: Definition) => void }) {
  const json = JSON.stringify(definition, null, 2);
  const [text, setText] = useState(json);
  const [isWrong, setWrong] = useState(false);
  useEffect(() => {
    setText(json);
    setWrong(false);
  }, [json]);
  const apply = () => {
    try {
      const next: unknown = JSON.parse(text);
      if (!isObject(next)) throw new Error();
      if (text !== json) onChange(next as Definition);
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <details>
      <summary>{t("editor.json")}</summary>
      <TextField label={t("editor.definition")} mono rows={8} value={text} onChange={setText} onBlur={apply} error={isWrong ? t("detail.not_json") : undefined} />
    </details>
  );
}
