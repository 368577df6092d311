/** The name and the settings of a knowledge base, and its end. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { ConfirmName } from "../../ui/confirm-name.tsx";
import { Button, TextField } from "../../ui/controls.tsx";
import { Refused, tell, tellError } from "../../ui/notices.tsx";
import { type Base, renew } from "./data.ts";
import { ModelSelect } from "./list.tsx";

export function BaseSettings({ base }: { base: Base }) {
  const client = useQueryClient();
  const [name, setName] = useState(base.name);
  const [description, setDescription] = useState(base.description);
  const [model, setModel] = useState(base.embeddingModel ?? "");
  const [tokens, setTokens] = useState(String(base.chunking.tokens));
  const [isDoomed, setDoomed] = useState(false);
  const params = { path: { knowledgeId: base.knowledgeId } };
  const save = useMutation({
    mutationFn: () =>
      data(
        api.PUT("/v1/knowledgebase/{knowledgeId}", {
          params,
          body: {
            name: name.trim(),
            description,
            chunking: { tokens: Number(tokens) },
            ...(model === (base.embeddingModel ?? "") ? {} : { embeddingModel: model || null }),
          },
        }),
      ),
    onSuccess: (next) => {
      client.setQueryData(["base", base.knowledgeId], next);
      renew(client, base.knowledgeId);
      tell(t("kb.saved"));
    },
  });
  const remove = async () => {
    try {
      const { message } = await data(api.DELETE("/v1/knowledgebase/{knowledgeId}", { params }));
      go(href("knowledge"));
      client.removeQueries({ queryKey: ["base", base.knowledgeId] });
      void client.invalidateQueries({ queryKey: ["bases"] });
      tell(message);
    } catch (error) {
      tellError(error);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <div className="scroll pad">
      <form className="card narrow stack" onSubmit={submit}>
        <TextField label={t("kb.name")} value={name} onChange={setName} />
        <TextField label={t("kb.description")} value={description} onChange={setDescription} />
        <ModelSelect value={model} onChange={setModel} />
        {base.servingModel && base.servingModel !== base.embeddingModel ? (
          <p className="box">{t("kb.model_changes", { model: base.servingModel })}</p>
        ) : null}
        <TextField
          label={t("kb.tokens")}
          hint={t("kb.tokens_hint")}
          type="number"
          value={tokens}
          onChange={setTokens}
        />
        <Refused error={save.error} />
        <div className="actions">
          <Button kind="main" type="submit" isDisabled={!name.trim()} isBusy={save.isPending}>
            {t("save")}
          </Button>
        </div>
      </form>
      <section className="card narrow stack" aria-label={t("kb.delete_title")}>
        <p>{t("kb.delete_hint")}</p>
        <div className="actions start">
          <Button kind="danger" onPress={() => setDoomed(true)}>
            {t("kb.delete_title")}
          </Button>
        </div>
      </section>
      <ConfirmName
        title={t("kb.delete_title")}
        text={t("kb.delete_text", { files: number(base.files), chunks: number(base.chunks) })}
        name={base.name}
        isOpen={isDoomed}
        onClose={() => setDoomed(false)}
        onConfirm={() => void remove()}
      />
    </div>
  );
}
