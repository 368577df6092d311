/** A form in web pages: its public keys, the script that embeds it, and its page on this server. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Agent, api, data, Failure, type Form, type Schemas } from "../../api.ts";
import { t } from "../../i18n.ts";
import { useMe } from "../../session.tsx";
import { slug } from "../agents.ts";
import { Button, Confirm, Copy, TextField } from "../../ui/controls.tsx";
import { explain, Loading, tell, tellError } from "../../ui/notices.tsx";

type Key = Schemas["ApiKeyRecord"];

const KEYS = ["keys", "public"];

export function WebPages({ form, agents }: { form: Form; agents: Agent[] }) {
  const isOwner = useMe().key.scope === "admin";
  return isOwner ? <Keys form={form} agents={agents} /> : <p className="box">{t("web.owners")}</p>;
}

function Keys({ form, agents }: { form: Form; agents: Agent[] }) {
  const keys = useQuery({
    queryKey: KEYS,
    queryFn: () => data(api.GET("/v1/keys", { params: { query: { limit: 100 } } })),
  });
  const names = agents.map((agent) => agent.namespace);
  const own = (keys.data?.keys ?? []).filter(
    (key) => key.public_key && key.state === "valid" && names.includes(key.agent ?? ""),
  );
  if (keys.error) return <p className="wrong">{explain(keys.error)}</p>;
  if (!keys.data) return <Loading />;
  return (
    <div className="stack">
      <p>{t("web.text")}</p>
      {own.map((key) => (
        <PublicKey key={key.id} record={key} />
      ))}
      <NewKey form={form} namespace={names[0]} isFirst={own.length === 0} />
    </div>
  );
}

/** What embeds the form of a key. */
function snippet(key: string): string {
  return `<script src="${window.location.origin}/widget.js" data-key="${key}" async></script>`;
}

function PublicKey({ record }: { record: Key }) {
  const client = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useMutation({
    mutationFn: () => data(api.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: record.id } } })),
    onSuccess: () => {
      tell(t("web.revoked"));
      void client.invalidateQueries({ queryKey: KEYS });
    },
    onError: tellError,
  });
  const code = snippet(record.public_key ?? "");
  const origins = record.origins ?? [];
  const page = record.page ? `/f/${record.page}` : undefined;
  return (
    <section className="box stack" aria-label={record.name}>
      {page ? (
        <div className="actions start">
          <span>
            {t("web.page")}:{" "}
            <a href={page} target="_blank" rel="noopener">
              {window.location.origin + page}
            </a>
          </span>
          <Copy text={window.location.origin + page} />
        </div>
      ) : null}
      {origins.length > 0 ? (
        <>
          <p>{t("web.embed", { origins: origins.join(", ") })}</p>
          <pre className="code" tabIndex={0}>
            <code>{code}</code>
          </pre>
        </>
      ) : null}
      <div className="actions">
        <Button kind="small" isDisabled={revoke.isPending} onPress={() => setIsAsked(true)}>
          {t("web.revoke")}
        </Button>
        {origins.length > 0 ? <Copy text={code} /> : null}
      </div>
      <Confirm
        title={t("web.revoke")}
        text={t("web.revoke_text")}
        action={t("web.revoke")}
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        onConfirm={() => revoke.mutate()}
      />
    </section>
  );
}

interface NewKeyProps {
  form: Form;
  namespace: string | undefined;
  isFirst: boolean;
}

function NewKey({ form, namespace, isFirst }: NewKeyProps) {
  const client = useQueryClient();
  const [origins, setOrigins] = useState("");
  // The agent stays when the key is refused, and is not made again.
  const [made, setMade] = useState<string>();
  const [page, setPage] = useState(isFirst ? slug(form.title) : "");
  const issue = useMutation({
    mutationFn: async () => {
      const agent = namespace ?? made ?? (await newAgent(form));
      setMade(agent);
      const body = {
        name: form.title.slice(0, 255),
        agent,
        origins: origins.split(/[\s,]+/).filter(Boolean),
        ...(page.trim() ? { page: page.trim() } : {}),
      };
      return data(api.POST("/v1/keys", { body: body as never }));
    },
    onSuccess: () => {
      tell(t("web.issued"));
      setOrigins("");
      setPage("");
      void client.invalidateQueries({ queryKey: KEYS });
      void client.invalidateQueries({ queryKey: ["agents"] });
    },
  });
  const wrong = issue.error;
  const at = (place: string) =>
    wrong instanceof Failure
      ? wrong.errors.find((error) => error.path.startsWith(place))?.message
      : undefined;
  const isPlaced = at("/origins") !== undefined || at("/page") !== undefined;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        issue.mutate();
      }}
    >
      <TextField
        label={t("web.origins")}
        hint={t("web.origins_hint")}
        value={origins}
        onChange={setOrigins}
        error={at("/origins")}
        rows={2}
        placeholder="https://shop.example"
      />
      <TextField
        label={t("web.page_name")}
        hint={`${window.location.origin}/f/…`}
        value={page}
        onChange={setPage}
        error={at("/page")}
        mono
      />
      {wrong && !isPlaced ? (
        <p className="wrong" role="alert">
          {explain(wrong)}
        </p>
      ) : null}
      <div className="actions">
        <Button kind="main" type="submit" isDisabled={issue.isPending || !(origins.trim() || page.trim())}>
          {t("web.issue")}
        </Button>
      </div>
    </form>
  );
}

/** The namespace of a new agent with the form. Another agent may have the name of the title. */
async function newAgent(form: Form): Promise<string> {
  const name = slug(form.title);
  try {
    return await createAgent(form, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 409) throw error;
    return createAgent(form, `${name}-${form.form_id.slice(-6)}`);
  }
}

async function createAgent(form: Form, namespace: string): Promise<string> {
  const body = { namespace, name: form.title, form_id: form.form_id };
  return (await data(api.POST("/v1/agent", { body: body as never }))).namespace;
}
