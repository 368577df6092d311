/** The designer: fields, the chosen one, and the form as people meet it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { api, data, Failure, type Form } from "../../api.ts";
import { t } from "../../i18n.ts";
import { go, href, setGuard } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Menu } from "../../ui/controls.tsx";
import { Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { type Draft, useDraft } from "./draft.ts";
import { Editor } from "./editor.tsx";
import { Fields } from "./fields.tsx";
import { Import, type Source } from "./import.tsx";
import { Preview } from "./preview.tsx";
import { Publish } from "./publish.tsx";
import { fieldOf, find, freeName, keyOf, listed, move, replace, type Schema } from "./schema.ts";
import { Usage } from "./usage.tsx";
import { Versions } from "./versions.tsx";

export function useForm(id: string) {
  return useQuery({
    queryKey: ["form", id],
    queryFn: () => data(api.GET("/v1/form/{form_id}", { params: { path: { form_id: id } } })),
  });
}

/** What the next draft starts from: the newest draft, else what is in force. */
function useNewest(form: Form | undefined) {
  return useQuery({
    queryKey: ["form", form?.form_id, "draft", form?.draft_version ?? null],
    enabled: Boolean(form),
    staleTime: Infinity,
    queryFn: async () => {
      if (!form?.draft_version) return form?.schema as Schema;
      const path = { form_id: form.form_id, version: form.draft_version };
      const version = await data(api.GET("/v1/form/{form_id}/versions/{version}", { params: { path } }));
      return version.schema as Schema;
    },
  });
}

export function FormRoom({ id }: { id: string }) {
  const form = useForm(id);
  const newest = useNewest(form.data);
  const error = form.error ?? newest.error;
  const [first, setFirst] = useState<Schema>();
  useEffect(() => {
    if (!first && newest.data) setFirst(newest.data);
  }, [first, newest.data]);
  if (error && !first) return <Wrong error={error} retry={() => void form.refetch()} />;
  if (!form.data || !first) return <Loading />;
  return <Designer form={form.data} first={first} />;
}

interface Check {
  byField: Map<string, string[]>;
  others: string[];
}

const NO_ERRORS: Check = { byField: new Map(), others: [] };

/** What the validator says of the schema, by field. */
function useCheck(schema: Schema): Check {
  const [check, setCheck] = useState<Check>(NO_ERRORS);
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        await data(
          api.POST("/v1/utilities/schema_validator", { body: schema as never, signal: stop.signal }),
        );
        setCheck(NO_ERRORS);
      } catch (error) {
        if (!(error instanceof Failure) || error.status !== 400) return;
        const byField = new Map<string, string[]>();
        const others: string[] = [];
        for (const { path, message } of error.errors.length > 0
          ? error.errors
          : [{ path: "", message: error.message }]) {
          const field = fieldOf(schema, path);
          if (field) byField.set(keyOf(field), [...(byField.get(keyOf(field)) ?? []), message]);
          else others.push(message);
        }
        setCheck({ byField, others });
      }
    }, 400);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [schema]);
  return check;
}

function Designer({ form, first }: { form: Form; first: Schema }) {
  const client = useQueryClient();
  const canWrite = useCanWrite();
  const draft = useDraft(first);
  const { schema, change } = draft;
  const check = useCheck(schema);
  const [selected, setSelected] = useState<string[] | undefined>(() => listed(first)[0]?.path);
  const [part, setPart] = useState<"fields" | "field" | "preview">("fields");
  const [source, setSource] = useState<Source>();
  const [shown, setShown] = useState<"versions" | "publish" | "usage">();
  const [isSaving, setSaving] = useState(false);
  const wrong = useMemo(() => new Set(check.byField.keys()), [check]);
  useLeaveGuard(draft.isChanged);

  /** The version that has what is on the page. */
  const save = useCallback(async (): Promise<number> => {
    const inForce = async () => {
      const { versions } = await data(
        api.GET("/v1/form/{form_id}/versions", {
          params: { path: { form_id: form.form_id }, query: { limit: 1 } },
        }),
      );
      return form.draft_version ?? form.version ?? versions[0]?.version ?? 1;
    };
    if (!draft.isChanged) return inForce();
    setSaving(true);
    try {
      const body = { schema, draft: true };
      const saved = await data(
        api.PUT("/v1/form/{form_id}", { params: { path: { form_id: form.form_id } }, body: body as never }),
      );
      draft.markSaved(schema);
      client.setQueryData(["form", form.form_id], saved);
      void client.invalidateQueries({ queryKey: ["versions", form.form_id] });
      return (saved as Form).draft_version ?? inForce();
    } finally {
      setSaving(false);
    }
  }, [client, draft, form, schema]);

  const saveNow = useCallback(() => void save().catch(tellError), [save]);
  useShortcuts(draft, canWrite ? saveNow : undefined);
  // The list follows when there is time for it, so that typing in a form of many fields is not slowed down.
  const calm = useDeferredValue(schema);
  const latest = useRef(schema);
  latest.current = schema;
  const select = useCallback((path: string[]) => {
    setSelected(path);
    setPart("field");
  }, []);
  const moveField = useCallback(
    (path: string[], sibling: string, side: "before" | "after") =>
      change(move(latest.current, path, sibling, side)),
    [change],
  );
  const add = useCallback(() => {
    const name = freeName(latest.current, "field");
    change({ ...latest.current, [name]: { type: "string" } });
    select([name]);
  }, [change, select]);
  const remove = (path: string[]) => {
    const before = schema;
    change(replace(schema, path, undefined));
    setSelected(undefined);
    tell(t("forms.removed", { name: path.at(-1) ?? "" }), () => {
      change(before);
      setSelected(path);
    });
  };
  const isThere = selected !== undefined && find(schema, selected) !== undefined;
  const current = isThere ? selected : undefined;
  const imports = (["template", "description", "documents", "json"] as const).map((id) => ({
    id,
    label: t(`import.${id}`),
    hint: t(`import.${id}_hint`),
  }));
  return (
    <div className={`room designer part-${part}`}>
      <header className="head">
        <a
          className="up"
          href={href("forms")}
          onClick={(event) => {
            event.preventDefault();
            go(href("forms"));
          }}
        >
          {t("nav.forms")}
        </a>
        <Title form={form} />
        {draft.isChanged ? (
          <span className="pill warn">{t("forms.unsaved")}</span>
        ) : form.draft_version ? (
          <span className="pill warn">{t("forms.draft", { version: String(form.draft_version) })}</span>
        ) : (
          <span className="pill ok">{t("forms.in_force")}</span>
        )}
        {form.gate ? <span className="pill vio">{t("forms.gated")}</span> : null}
        <span className="gap" />
        {canWrite ? (
          <>
            <Button kind="quiet" aria-label={t("undo")} isDisabled={!draft.canUndo} onPress={draft.undo}>
              ↶
            </Button>
            <Button kind="quiet" aria-label={t("redo")} isDisabled={!draft.canRedo} onPress={draft.redo}>
              ↷
            </Button>
            <Menu label={t("import.title")} items={imports} onAction={(id) => setSource(id as Source)} />
          </>
        ) : null}
        <Button onPress={() => setShown("usage")}>{t("usage.title")}</Button>
        <Button onPress={() => setShown("versions")}>{t("versions.title")}</Button>
        {canWrite ? (
          <>
            <Button isDisabled={!draft.isChanged || isSaving} onPress={saveNow}>
              {t("forms.save")}
            </Button>
            <Button
              kind="main"
              isDisabled={isSaving || (!draft.isChanged && !form.draft_version)}
              onPress={() => setShown("publish")}
            >
              {t("publish.title")}
            </Button>
          </>
        ) : null}
      </header>
      {check.others.map((message) => (
        <p className="wrong pad" role="alert" key={message}>
          {message}
        </p>
      ))}
      <div className="parts" role="group" aria-label={t("forms.parts")}>
        {(["fields", "field", "preview"] as const).map((name) => (
          <button
            type="button"
            key={name}
            className="chip"
            aria-pressed={part === name}
            onClick={() => setPart(name)}
          >
            {t(`part.${name}`)}
          </button>
        ))}
      </div>
      <div className="cols">
        <Fields
          schema={calm}
          selected={current}
          wrong={wrong}
          onSelect={select}
          onMove={moveField}
          onAdd={add}
        />
        {current ? (
          <Editor
            key={keyOf(current.slice(0, -1))}
            schema={schema}
            path={current}
            errors={check.byField.get(keyOf(current)) ?? []}
            onChange={change}
            onSelect={setSelected}
            onRemove={remove}
          />
        ) : (
          <section className="col editor" aria-label={t("forms.field")}>
            <p className="pad hint">{t("forms.pick")}</p>
          </section>
        )}
        {canWrite ? (
          <Preview formId={form.form_id} title={form.title} save={save} />
        ) : (
          <p className="pad hint">{t("preview.read_only")}</p>
        )}
      </div>
      <Import
        source={source}
        onClose={() => setSource(undefined)}
        onSchema={(next) => {
          const before = schema;
          change(next);
          setSelected(listed(next)[0]?.path);
          tell(t("import.done", { count: Object.keys(next).length }), () => change(before));
        }}
      />
      <Versions
        form={form}
        schema={schema}
        isOpen={shown === "versions"}
        onClose={() => setShown(undefined)}
        onTake={(next) => change(next)}
      />
      <Publish form={form} save={save} isOpen={shown === "publish"} onClose={() => setShown(undefined)} />
      <Usage form={form} isOpen={shown === "usage"} onClose={() => setShown(undefined)} />
    </div>
  );
}

function Title({ form }: { form: Form }) {
  const client = useQueryClient();
  const canWrite = useCanWrite();
  const [text, setText] = useState<string>();
  if (text === undefined) {
    return (
      <h1>
        <bdi>{form.title}</bdi>
        {canWrite ? (
          <Button kind="quiet" aria-label={t("forms.rename")} onPress={() => setText(form.title)}>
            ✎
          </Button>
        ) : null}
      </h1>
    );
  }
  const apply = async () => {
    setText(undefined);
    const title = text.trim();
    if (!title || title === form.title) return;
    try {
      const saved = await data(
        api.PUT("/v1/form/{form_id}", {
          params: { path: { form_id: form.form_id } },
          body: { title } as never,
        }),
      );
      client.setQueryData(["form", form.form_id], saved);
      void client.invalidateQueries({ queryKey: ["forms"] });
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <h1>
      <input
        className="in"
        aria-label={t("forms.title")}
        value={text}
        maxLength={1000}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void apply()}
        onKeyDown={(event) => {
          if (event.key === "Enter") void apply();
          if (event.key === "Escape") setText(undefined);
        }}
        autoFocus
      />
    </h1>
  );
}

function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    setGuard(() => window.confirm(t("forms.leave")));
    return () => {
      window.removeEventListener("beforeunload", warn);
      setGuard(undefined);
    };
  }, [isChanged]);
}

/** Save, undo and redo by keyboard; within a text the browser undoes. */
function useShortcuts(draft: Draft, save: (() => void) | undefined): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey)) return;
      const isText = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const key = event.key.toLowerCase();
      if (key === "s" && save) save();
      else if (key === "z" && !isText) (event.shiftKey ? draft.redo : draft.undo)();
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", act);
    return () => window.removeEventListener("keydown", act);
  }, [draft, save]);
}
