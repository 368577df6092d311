/** The knowledge bases of the workspace, and the way to a new one. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Panel, Select, TextField } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, Refused, Wrong } from "../../ui/notices.tsx";
import { type Base, isWorking, useBases, useModels } from "./data.ts";

export function KnowledgeList() {
  const canWrite = useCanWrite();
  const [isNew, setNew] = useState(false);
  const asked = useBases();
  const bases = asked.data?.pages.flatMap((page) => page.knowledgebases);
  const begin = (
    <Button kind="main" onPress={() => setNew(true)}>
      {t("kb.new")}
    </Button>
  );
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.knowledge")}</h1>
        <span className="gap" />
        {canWrite ? begin : null}
      </header>
      <div className="scroll pad">
        {asked.isError ? (
          <Wrong error={asked.error} retry={() => void asked.refetch()} />
        ) : !bases ? (
          <Loading />
        ) : bases.length === 0 ? (
          <Empty title={t("kb.empty_title")} text={t("kb.empty_text")}>
            {canWrite ? begin : <p className="hint">{t("kb.read_only")}</p>}
          </Empty>
        ) : (
          <BaseTable bases={bases} />
        )}
        {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      </div>
      <Panel title={t("kb.new")} isOpen={isNew} onClose={() => setNew(false)}>
        {isNew ? <NewBase onClose={() => setNew(false)} /> : null}
      </Panel>
    </div>
  );
}

function BaseTable({ bases }: { bases: Base[] }) {
  return (
    <div className="card flush">
      <table className="plain">
        <thead>
          <tr>
            <th>{t("kb.name")}</th>
            <th>{t("kb.state")}</th>
            <th className="end">{t("kb.items")}</th>
            <th className="end wide-only">{t("kb.chunks")}</th>
            <th className="wide-only">{t("kb.search_by")}</th>
            <th className="wide-only">{t("forms.changed")}</th>
          </tr>
        </thead>
        <tbody>
          {bases.map((base) => (
            <tr key={base.knowledgeId}>
              <td>
                <Link to={href("knowledge", base.knowledgeId)}>
                  <bdi>{base.name}</bdi>
                </Link>
                {base.description ? (
                  <p className="hint">
                    <bdi>{base.description}</bdi>
                  </p>
                ) : null}
              </td>
              <td>
                <BaseState base={base} />
              </td>
              <td className="end">{number(base.files)}</td>
              <td className="end wide-only">{number(base.chunks)}</td>
              <td className="wide-only">{t(base.servingModel ? "kb.by_both" : "kb.by_words")}</td>
              <td className="wide-only">{time(base.updated_timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function BaseState({ base }: { base: Base }) {
  const open = base.status.queued + base.status.processing;
  return (
    <span className="line-up">
      {isWorking(base) ? <span className="pill vio">{t("kb.working", { count: open })}</span> : null}
      {base.status.failed > 0 ? (
        <span className="pill red">{t("kb.failed_count", { count: base.status.failed })}</span>
      ) : null}
      {!isWorking(base) && base.status.failed === 0 ? (
        <span className={base.files > 0 ? "pill ok" : "pill"}>
          {t(base.files > 0 ? "kb.ready" : "kb.nothing")}
        </span>
      ) : null}
    </span>
  );
}

/** The embedding models, with the choice of none. */
export function ModelSelect({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { models } = useModels("text-to-embedding");
  const known = models.map((model) => ({ id: model.modelId, label: model.name, hint: model.modelId }));
  // A model that can no longer be called stays what the base has.
  if (value && !known.some((option) => option.id === value))
    known.push({ id: value, label: value, hint: t("kb.model_away") });
  return (
    <div className="stack">
      <Select
        label={t("kb.model")}
        value={value}
        onChange={onChange}
        options={[{ id: "", label: t("kb.no_model"), hint: t("kb.no_model_hint") }, ...known]}
      />
      {known.length === 0 ? <p className="hint">{t("kb.no_models")}</p> : null}
    </div>
  );
}

function NewBase({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [model, setModel] = useState("");
  const create = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/knowledgebase", {
          body: { name: name.trim(), description, ...(model ? { embeddingModel: model } : {}) },
        }),
      ),
    onSuccess: (base) => {
      void client.invalidateQueries({ queryKey: ["bases"] });
      onClose();
      go(href("knowledge", base.knowledgeId));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label={t("kb.name")} value={name} onChange={setName} autoFocus hint={t("kb.name_hint")} />
      <TextField label={t("kb.description")} value={description} onChange={setDescription} />
      <ModelSelect value={model} onChange={setModel} />
      <Refused error={create.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" type="submit" isDisabled={!name.trim()} isBusy={create.isPending}>
          {t("kb.create")}
        </Button>
      </div>
    </form>
  );
}
