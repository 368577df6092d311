/** Which model is asked, and how. */

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, data } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Select, TextField } from "../../ui/controls.tsx";
import { Refused, tellError } from "../../ui/notices.tsx";
import { upload } from "../../documents/upload.ts";
import { kindOf, priceOf } from "./models.tsx";
import { type Model, outside, type Settings } from "./request.ts";

/** Documents of one question, and forms to choose from. */
const MAX_DOCUMENTS = 20;
const MAX_FORMS = 100;

interface SettingsProps {
  settings: Settings;
  models: Model[];
  schemaError: unknown;
  onChange: (next: Partial<Settings>) => void;
}

export function SettingsPanel({ settings, models, schemaError, onChange }: SettingsProps) {
  const forms = useQuery({
    queryKey: ["forms", "playground"],
    queryFn: () => data(api.GET("/v1/form", { params: { query: { limit: MAX_FORMS } } })),
  });
  const model = models.find((known) => known.modelId === settings.model);
  const isBuiltIn = settings.model === "extractive@formwork";
  return (
    <section className="col editor play-settings" aria-label={t("play.part_settings")}>
      <div className="form">
        <Select
          label={t("play.model")}
          value={settings.model}
          onChange={(id) => onChange({ model: id })}
          options={models.map((known) => ({
            id: known.modelId,
            label: `${known.name} · ${known.provider}`,
            hint: `${kindOf(known)} · ${priceOf(known)}`,
          }))}
        />
        {model ? (
          <p className="hint">
            <span className="mono">{model.modelId}</span>
            <br />
            {priceOf(model)}
            {model.contextTokens ? ` · ${t("play.reads", { count: number(model.contextTokens) })}` : ""}
            {model.vision ? ` · ${t("play.sees")}` : ""}
          </p>
        ) : null}
        {isBuiltIn ? <p className="hint box">{t("play.built_in")}</p> : null}
        <TextField
          label={t("play.system")}
          rows={4}
          value={settings.system}
          onChange={(system) => onChange({ system })}
          hint={t("play.system_hint")}
        />
        <div className="pair">
          <TextField
            label={t("play.temperature")}
            inputMode="decimal"
            value={settings.temperature}
            onChange={(temperature) => onChange({ temperature })}
            hint={t("play.temperature_hint")}
            error={outside(settings.temperature, 0, 2, false) ? t("play.temperature_wrong") : undefined}
          />
          <TextField
            label={t("play.max_tokens")}
            inputMode="numeric"
            value={settings.maxTokens}
            onChange={(maxTokens) => onChange({ maxTokens })}
            error={outside(settings.maxTokens, 1, 1_000_000, true) ? t("play.max_tokens_wrong") : undefined}
          />
        </div>
        <Select
          label={t("play.format")}
          value={settings.form}
          onChange={(form) => onChange({ form })}
          options={[
            { id: "", label: t("play.as_text") },
            ...(forms.data?.forms ?? []).map((form) => ({
              id: form.form_id,
              label: t("play.as_json", { title: form.title }),
            })),
          ]}
        />
        <Refused error={schemaError} />
        <Documents settings={settings} onChange={onChange} />
      </div>
    </section>
  );
}

function Documents({ settings, onChange }: Pick<SettingsProps, "settings" | "onChange">) {
  const canWrite = useCanWrite();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const { documents } = settings;
  const add = async (files: File[]) => {
    if (files.length === 0) return;
    setBusy(true);
    try {
      const wanted = files.slice(0, MAX_DOCUMENTS - documents.length);
      const added = await upload(wanted, () => undefined, new AbortController().signal);
      onChange({ documents: [...documents, ...added.map(({ id, name }) => ({ id, name }))] });
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
    if (input.current) input.current.value = "";
  };
  return (
    <div className="files stack">
      <h2 className="hint">{t("play.documents")}</h2>
      {documents.length > 0 ? (
        <ul aria-label={t("play.documents")}>
          {documents.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi>
              <Button
                kind="quiet"
                aria-label={t("new.leave_out", { name })}
                onPress={() => onChange({ documents: documents.filter((one) => one.id !== id) })}
              >
                ✕
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="hint">{t("play.documents_hint")}</p>
      )}
      {canWrite ? (
        <div>
          <Button
            kind="small"
            isDisabled={isBusy || documents.length >= MAX_DOCUMENTS}
            onPress={() => input.current?.click()}
          >
            {isBusy ? t("new.uploading") : t("new.files")}
          </Button>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label={t("play.documents")}
            onChange={(event) => void add([...(event.target.files ?? [])])}
          />
        </div>
      ) : null}
    </div>
  );
}
