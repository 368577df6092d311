/** One field: what it is called, what it takes, and when it is asked for. */

import { useEffect, useState } from "react";
import { t } from "../../i18n.ts";
import { isObject } from "../../pointer.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Checkbox, Select, TextField } from "../../ui/controls.tsx";
import {
  type Definition,
  find,
  freeName,
  innerPath,
  rename,
  replace,
  type Schema,
  siblings,
  SIGNS,
  TYPES,
} from "./schema.ts";
import { Lines, Rules, texts, typed, When } from "./rules.tsx";

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
  const set = (key: string, value: unknown) =>
    onChange(replace(schema, [...path, key], isBlank(value) ? undefined : value), `${path.join("/")}.${key}`);
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
          <Select
            label={t("editor.type")}
            value={type}
            isDisabled={!canWrite}
            onChange={(next) => onChange(replace(schema, path, converted(definition, next)), "")}
            options={TYPES.map((id) => ({ id, label: `${SIGNS[id]}  ${t(`type.${id}`)}` }))}
          />
          {item ? (
            <Select
              label={type === "map" ? t("editor.values") : t("editor.entries")}
              value={String(item.type ?? "string")}
              isDisabled={!canWrite}
              onChange={(next) => set(type === "map" ? "values" : "items", converted(item, next))}
              options={TYPES.filter((id) => id !== "array" && id !== "map").map((id) => ({
                id,
                label: t(`type.${id}`),
              }))}
            />
          ) : null}
        </div>
        <TextField
          label={t("editor.description")}
          value={String(definition.description ?? "")}
          onChange={(value) => set("description", value)}
          rows={2}
          hint={t("editor.description_hint")}
        />
        <div className="pair">
          <Checkbox
            isSelected={definition.required === true}
            onChange={(is) => set("required", is || undefined)}
            isDisabled={!canWrite}
          >
            {t("editor.required")}
          </Checkbox>
        </div>
        {inner && canWrite ? <Button onPress={addInner}>+ {t("editor.add_inner")}</Button> : null}
        <Rules definition={definition} type={type} set={set} />
        <When definition={definition} fields={siblings(schema, path)} name={name} set={set} />
        <details open={Boolean(definition.rules || definition.computed)}>
          <summary>{t("editor.between")}</summary>
          <Lines
            label={t("editor.rules")}
            hint={t("editor.rules_hint")}
            value={rulesText(definition.rules)}
            onChange={(lines) => set("rules", rulesOf(lines, definition.rules))}
          />
          <TextField
            label={t("editor.computed")}
            mono
            value={String(definition.computed ?? "")}
            onChange={(value) => set("computed", value)}
            hint={t("editor.computed_hint")}
          />
        </details>
        <details open={Boolean(definition.aliases || definition.instructions || definition.examples)}>
          <summary>{t("editor.documents")}</summary>
          <Lines
            label={t("editor.aliases")}
            hint={t("editor.aliases_hint")}
            value={texts(definition.aliases)}
            onChange={(lines) => set("aliases", lines)}
          />
          <TextField
            label={t("editor.instructions")}
            value={String(definition.instructions ?? "")}
            onChange={(value) => set("instructions", value)}
            rows={2}
          />
          <Lines
            label={t("editor.examples")}
            value={texts(definition.examples)}
            onChange={(lines) =>
              set(
                "examples",
                lines.map((line) => typed(line, type)),
              )
            }
          />
          {["array", "object", "money", "map", "union"].includes(type) ? null : (
            <TextField
              label={t("editor.default")}
              value={definition.default === undefined ? "" : String(definition.default)}
              onChange={(value) => set("default", typed(value, type))}
              hint={t("editor.default_hint")}
            />
          )}
        </details>
        <Raw definition={definition} onChange={(next) => onChange(replace(schema, path, next), "")} />
      </fieldset>
    </section>
  );
}

function isBlank(value: unknown): boolean {
  return (
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isObject(value) && Object.keys(value).length === 0)
  );
}

/** Keys that every type keeps when a field gets another type. */
const COMMON = ["order", "description", "instructions", "aliases", "required", "when"];

function converted(definition: Definition, type: string): Definition {
  const kept = Object.fromEntries(Object.entries(definition).filter(([key]) => COMMON.includes(key)));
  if (type === "object")
    return { type, ...kept, properties: definition.properties ?? { field: { type: "string" } } };
  if (type === "array") return { type, ...kept, items: definition.items ?? { type: "string" } };
  if (type === "map") return { type, ...kept, values: { type: "string" } };
  if (type === "union") return { type, ...kept, types: ["number", "string"] };
  return { type, ...kept };
}

function rulesText(rules: unknown): string[] {
  return Array.isArray(rules)
    ? rules.map((rule) => (typeof rule === "string" ? rule : isObject(rule) ? String(rule.check ?? "") : ""))
    : [];
}

/** Rules keep their tolerance and message as long as their condition is the same. */
function rulesOf(lines: string[], before: unknown): unknown[] {
  const known = Array.isArray(before) ? before : [];
  return lines.map((line) => known.find((rule) => isObject(rule) && rule.check === line) ?? line);
}

function Name({
  schema,
  path,
  onChange,
  onSelect,
}: Pick<EditorProps, "schema" | "path" | "onChange" | "onSelect">) {
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
      <TextField
        label={t("editor.definition")}
        mono
        rows={8}
        value={text}
        onChange={setText}
        onBlur={apply}
        error={isWrong ? t("detail.not_json") : undefined}
      />
    </details>
  );
}
