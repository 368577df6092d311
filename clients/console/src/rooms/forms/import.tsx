/** The ways to a schema: a template, a description in words, sample documents, a JSON Schema. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { api, data } from "../../api.ts";
import { t, useLanguage } from "../../i18n.ts";
import { isObject } from "../../pointer.ts";
import { Button, Panel, TextField } from "../../ui/controls.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { upload } from "../../documents/upload.ts";
import type { Schema } from "./schema.ts";

export type Source = "template" | "description" | "documents" | "json";

interface ImportProps {
  source: Source | undefined;
  onClose: () => void;
  onSchema: (schema: Schema, title: string) => void;
}

type Give = (schema: Schema, title?: string) => void;

export function Import({ source, onClose, onSchema }: ImportProps) {
  const give: Give = (schema, title = "") => {
    onClose();
    onSchema(schema, title);
  };
  return (
    <Panel title={source ? t(`import.${source}`) : ""} isOpen={source !== undefined} onClose={onClose} wide>
      {source === "template" ? <Templates give={give} /> : null}
      {source === "description" ? <Description give={give} /> : null}
      {source === "documents" ? <Documents give={give} /> : null}
      {source === "json" ? <Json give={give} /> : null}
    </Panel>
  );
}

function Templates({ give }: { give: Give }) {
  const language = useLanguage();
  const asked = useQuery({
    queryKey: ["templates", language],
    queryFn: () => data(api.GET("/v1/templates", { params: { query: { language } } })),
    staleTime: Infinity,
  });
  const take = useMutation({
    mutationFn: (id: string) =>
      data(
        api.GET("/v1/templates/{template_id}", {
          params: { path: { template_id: id }, query: { language } },
        }),
      ),
    onSuccess: (template) => give(template.schema as Schema, template.title),
  });
  if (asked.isError) return <Wrong error={asked.error} />;
  if (!asked.data) return <Loading />;
  return (
    <div className="tiles">
      {take.isError ? <Wrong error={take.error} /> : null}
      {asked.data.templates.map((template) => (
        <button
          type="button"
          className="tile"
          key={template.template_id}
          onClick={() => take.mutate(template.template_id)}
        >
          <b>{template.title}</b>
          <span>{template.fields.slice(0, 5).join(", ")}</span>
        </button>
      ))}
    </div>
  );
}

function Description({ give }: { give: Give }) {
  const [text, setText] = useState("");
  const make = useMutation({
    mutationFn: (content: string) => data(api.POST("/v1/utilities/schema_generator", { body: { content } })),
    onSuccess: (schema) => give(schema as Schema),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate(text);
  };
  return (
    <form onSubmit={submit} className="stack">
      <TextField
        label={t("import.describe")}
        rows={5}
        value={text}
        onChange={setText}
        maxLength={20_000}
        placeholder={t("import.describe_example")}
        autoFocus
      />
      {make.isError ? <Wrong error={make.error} /> : null}
      <div className="actions">
        <Button kind="main" type="submit" isDisabled={!text.trim() || make.isPending}>
          {t("import.make")}
        </Button>
      </div>
    </form>
  );
}

function Documents({ give }: { give: Give }) {
  const input = useRef<HTMLInputElement>(null);
  const make = useMutation({
    mutationFn: async (files: File[]) => {
      const uploaded = await upload(files, () => undefined, new AbortController().signal);
      const urls = uploaded.map((file) => String(file.id));
      return data(api.POST("/v1/utilities/schema_from_documents", { body: { urls } }));
    },
    onSuccess: (answer) => give(answer.schema as Schema),
  });
  return (
    <div className="stack">
      <p>{t("import.documents_text")}</p>
      {make.isError ? <Wrong error={make.error} /> : null}
      <div className="actions">
        <Button kind="main" isDisabled={make.isPending} onPress={() => input.current?.click()}>
          {make.isPending ? t("preview.reading") : t("new.files")}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t("new.files")}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])].slice(0, 20);
          if (files.length > 0) make.mutate(files);
        }}
      />
    </div>
  );
}

/** Whether JSON is the schema of a form rather than a JSON Schema. */
function isForm(value: Record<string, unknown>): boolean {
  const entries = Object.values(value);
  return entries.length > 0 && entries.every((entry) => isObject(entry) && typeof entry.type === "string");
}

function Json({ give }: { give: Give }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const make = useMutation({
    mutationFn: (schema: Record<string, unknown>) =>
      data(api.POST("/v1/utilities/schema_converter", { body: { schema } as never })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWrong("");
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      return setWrong(
        error instanceof Error ? `${t("detail.not_json")} ${error.message}` : t("detail.not_json"),
      );
    }
    if (!isObject(value)) return setWrong(t("detail.not_json"));
    if (isForm(value)) return give(value as Schema);
    const title = typeof value.title === "string" ? value.title : "";
    make.mutate(value, {
      onSuccess: (answer) => answer.warnings.length === 0 && give(answer.schema as Schema, title),
    });
  };
  const answer = make.data;
  return (
    <form onSubmit={submit} className="stack">
      <TextField
        label={t("import.json_label")}
        mono
        rows={12}
        value={text}
        onChange={setText}
        error={wrong}
        hint={t("import.json_text")}
        autoFocus
      />
      {make.isError ? <Wrong error={make.error} /> : null}
      {answer && answer.warnings.length > 0 ? (
        <div className="box">
          <b>{t("import.lost")}</b>
          <ul>
            {answer.warnings.map((warning) => (
              <li key={warning.path + warning.message}>
                <code>{warning.path}</code> {warning.message}
              </li>
            ))}
          </ul>
          <Button kind="main" onPress={() => give(answer.schema as Schema)}>
            {t("import.take_anyway")}
          </Button>
        </div>
      ) : null}
      <div className="actions">
        <Button
          kind={answer?.warnings.length ? "" : "main"}
          type="submit"
          isDisabled={!text.trim() || make.isPending}
        >
          {t("import.make")}
        </Button>
      </div>
    </form>
  );
}
