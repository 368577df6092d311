/** The evaluation sets of the workspace, and the way to a new one. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Panel, Select, TextField } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, Refused, Wrong } from "../../ui/notices.tsx";
import { Places } from "../../ui/places.tsx";
import { useSets, useTitles } from "./data.ts";
import { formPlaces } from "./places.ts";

export function EvaluationSets() {
  const canWrite = useCanWrite();
  const [isNew, setNew] = useState(false);
  const asked = useSets();
  const { titleOf } = useTitles();
  const sets = asked.data?.pages.flatMap((page) => page.sets);
  const begin = (
    <Button kind="main" onPress={() => setNew(true)}>
      {t("eval.new")}
    </Button>
  );
  return (
    <div className="room">
      <header className="head">
        <h1>{t("eval.title")}</h1>
        <Places label={t("eval.parts")} places={formPlaces("evaluations")} />
        <span className="gap" />
        {canWrite ? begin : null}
      </header>
      <div className="scroll pad">
        {asked.isError ? (
          <Wrong error={asked.error} retry={() => void asked.refetch()} />
        ) : !sets ? (
          <Loading />
        ) : sets.length === 0 ? (
          <Empty title={t("eval.empty_title")} text={t("eval.empty_text")}>
            {canWrite ? begin : null}
          </Empty>
        ) : (
          <div className="card flush">
            <table className="plain">
              <thead>
                <tr>
                  <th>{t("kb.name")}</th>
                  <th>{t("eval.form")}</th>
                  <th className="end">{t("eval.groups")}</th>
                  <th className="wide-only">{t("ops.created")}</th>
                </tr>
              </thead>
              <tbody>
                {sets.map((set) => (
                  <tr key={set.id}>
                    <td>
                      <Link to={href("forms", "evaluations", set.id)}>
                        <bdi>{set.name}</bdi>
                      </Link>
                    </td>
                    <td>
                      <bdi>{titleOf(set.form_id)}</bdi>
                    </td>
                    <td className="end">{number(set.groups)}</td>
                    <td className="wide-only">{time(set.created_timestamp)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      </div>
      <Panel title={t("eval.new")} isOpen={isNew} onClose={() => setNew(false)}>
        {isNew ? <NewSet onClose={() => setNew(false)} /> : null}
      </Panel>
    </div>
  );
}

function NewSet({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { forms } = useTitles();
  const [name, setName] = useState("");
  const [form, setForm] = useState<string | null>(null);
  const create = useMutation({
    mutationFn: () =>
      data(api.POST("/v1/evaluation_sets", { body: { name: name.trim(), form_id: form ?? "" } })),
    onSuccess: (set) => {
      void client.invalidateQueries({ queryKey: ["sets"] });
      onClose();
      go(href("forms", "evaluations", set.id));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() && form) create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label={t("kb.name")} value={name} onChange={setName} autoFocus hint={t("eval.name_hint")} />
      <Select
        label={t("eval.form")}
        value={form}
        onChange={setForm}
        options={forms.map((known) => ({ id: known.form_id, label: known.title }))}
      />
      <Refused error={create.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" type="submit" isDisabled={!name.trim() || !form} isBusy={create.isPending}>
          {t("kb.create")}
        </Button>
      </div>
    </form>
  );
}
