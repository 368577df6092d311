/** The forms of the workspace, and the ways to a new one. */

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { api, data, Failure } from "../../api.ts";
import { Link } from "../../ui/link.tsx";
import { t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Confirm, Menu } from "../../ui/controls.tsx";
import { Empty, Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { Places } from "../../ui/places.tsx";
import { formPlaces } from "../evaluations/places.ts";
import { Import, type Source } from "./import.tsx";
import { previewName } from "../agents.ts";
import type { Schema } from "./schema.ts";

export function FormList() {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [source, setSource] = useState<Source>();
  const [doomed, setDoomed] = useState<{ id: string; title: string }>();
  const asked = useInfiniteQuery({
    queryKey: ["forms", text.trim()],
    initialPageParam: "",
    queryFn: ({ pageParam }) => {
      const title = text.trim();
      const query = { limit: 50, ...(title ? { title } : {}), ...(pageParam ? { cursor: pageParam } : {}) };
      return data(api.GET("/v1/form", { params: { query } }));
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
  const create = async (schema: Schema, title: string) => {
    try {
      const form = await data(api.POST("/v1/form", { body: { title, schema } as never }));
      void client.invalidateQueries({ queryKey: ["forms"] });
      go(href("forms", (form as { form_id: string }).form_id));
    } catch (error) {
      tellError(error);
    }
  };
  const remove = async (id: string, title: string) => {
    try {
      // The agent that tried the form goes with it.
      await data(
        api.DELETE("/v1/agent/{namespace}", { params: { path: { namespace: previewName(id) } } }),
      ).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.status !== 404) throw error;
      });
      await data(api.DELETE("/v1/form/{form_id}", { params: { path: { form_id: id } } }));
      tell(t("forms.deleted", { title }));
    } catch (error) {
      tellError(error);
    }
    void client.invalidateQueries({ queryKey: ["forms"] });
  };
  const ways = [
    { id: "blank", label: t("import.blank"), hint: t("import.blank_hint") },
    ...(["template", "description", "documents", "json"] as const).map((id) => ({
      id,
      label: t(`import.${id}`),
      hint: t(`import.${id}_hint`),
    })),
  ];
  const begin = (id: string) =>
    id === "blank"
      ? void create({ field: { type: "string" } }, t("forms.untitled"))
      : setSource(id as Source);
  const forms = asked.data?.pages.flatMap((page) => page.forms);
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.forms")}</h1>
        <Places label={t("eval.parts")} places={formPlaces("forms")} />
        <span className="gap" />
        <SearchField aria-label={t("forms.find")} className="find" value={text} onChange={setText}>
          <Input className="in" placeholder={t("forms.find")} />
        </SearchField>
        {canWrite ? <Menu label={t("forms.new")} kind="main" items={ways} onAction={begin} /> : null}
      </header>
      <div className="scroll pad">
        {asked.isError ? (
          <Wrong error={asked.error} retry={() => void asked.refetch()} />
        ) : !forms ? (
          <Loading />
        ) : forms.length === 0 && !text ? (
          <Empty title={t("forms.empty_title")} text={t("forms.empty_text")}>
            {canWrite ? (
              <div className="tiles">
                {ways.map(({ id, label, hint }) => (
                  <button type="button" className="tile" key={id} onClick={() => begin(id)}>
                    <b>{label}</b>
                    <span>{hint}</span>
                  </button>
                ))}
              </div>
            ) : null}
          </Empty>
        ) : (
          <div className="card flush">
            <table className="plain">
              <thead>
                <tr>
                  <th>{t("forms.title")}</th>
                  <th className="wide-only">{t("forms.changed")}</th>
                  <th className="wide-only">{t("forms.author")}</th>
                  <th>
                    <span className="unseen">{t("remove")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {forms.map((form) => (
                  <tr key={form.form_id}>
                    <td>
                      <Link to={href("forms", form.form_id)}>
                        <bdi>{form.title}</bdi>
                      </Link>
                    </td>
                    <td className="wide-only">{time(form.updated_timestamp)}</td>
                    <td className="wide-only">
                      <bdi>{form.userName}</bdi>
                    </td>
                    <td className="end">
                      {canWrite ? (
                        <Button
                          kind="small"
                          aria-label={t("forms.delete_one", { title: form.title })}
                          onPress={() => setDoomed({ id: form.form_id, title: form.title })}
                        >
                          {t("remove")}
                        </Button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      </div>
      <Import
        source={source}
        onClose={() => setSource(undefined)}
        onSchema={(schema, title) => void create(schema, title || t("forms.untitled"))}
      />
      <Confirm
        title={t("forms.delete_title")}
        text={t("forms.delete_text", { title: doomed?.title ?? "" })}
        action={t("remove")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && void remove(doomed.id, doomed.title)}
      />
    </div>
  );
}
