/** Webhooks: where the server tells what happened, and whether that arrived. */

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { CheckboxGroup, Label } from "react-aria-components";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Checkbox, Panel, TextField } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, explain, Loading, Wrong } from "../../ui/notices.tsx";
import type { Webhook } from "./records.ts";
import { type Secret, SecretPanel } from "./secret.tsx";

export { WebhookRoom } from "./deliveries.tsx";

const EVENTS = ["run.finished", "item.ready", "item.failed", "form.submitted", "review.decided"] as const;

export function Webhooks() {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const [isNew, setNew] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  const asked = useInfiniteQuery({
    queryKey: ["webhooks"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) };
      return data(api.GET("/v1/webhooks", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
  const webhooks = asked.data?.pages.flatMap((page) => page.webhooks);
  const begin = (
    <Button kind="main" onPress={() => setNew(true)}>
      {t("ops.new_webhook")}
    </Button>
  );
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!webhooks) return <Loading />;
  return (
    <>
      {webhooks.length === 0 ? (
        <Empty title={t("ops.no_webhooks_title")} text={t("ops.no_webhooks_text")}>
          {canWrite ? begin : null}
        </Empty>
      ) : (
        <>
          <div className="line-up spaced">
            <span className="gap" />
            {canWrite ? begin : null}
          </div>
          <WebhookTable webhooks={webhooks} />
        </>
      )}
      {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      <Panel title={t("ops.new_webhook")} isOpen={isNew} onClose={() => setNew(false)}>
        {isNew ? (
          <NewWebhook
            onClose={() => setNew(false)}
            onCreated={(created) => {
              setNew(false);
              void client.invalidateQueries({ queryKey: ["webhooks"] });
              setSecret({
                title: t("ops.secret_title", { name: created.url }),
                text: t("ops.webhook_secret"),
                secret: created.secret,
              });
            }}
          />
        ) : null}
      </Panel>
      <SecretPanel shown={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <div className="card flush">
      <table className="plain">
        <thead>
          <tr>
            <th>{t("ops.url")}</th>
            <th>{t("kb.state")}</th>
            <th className="wide-only">{t("ops.events")}</th>
            <th className="wide-only">{t("ops.created")}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <td>
                <Link to={href("operations", "webhooks", webhook.id)}>
                  <bdi>{webhook.url}</bdi>
                </Link>
                {webhook.description ? (
                  <p className="hint">
                    <bdi>{webhook.description}</bdi>
                  </p>
                ) : null}
              </td>
              <td>
                <WebhookState webhook={webhook} />
              </td>
              <td className="wide-only">
                {webhook.events.map((event) => t(`ops.event.${event}`)).join(", ")}
              </td>
              <td className="wide-only">{time(webhook.created_timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WebhookState({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <span className={webhook.enabled ? "pill ok" : "pill red"}>
        {t(webhook.enabled ? "ops.enabled" : "ops.disabled")}
      </span>
      {webhook.disabled_reason ? <p className="hint">{webhook.disabled_reason}</p> : null}
    </>
  );
}

interface NewWebhookProps {
  onClose: () => void;
  onCreated: (created: { url: string; secret: string }) => void;
}

function NewWebhook({ onClose, onCreated }: NewWebhookProps) {
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [events, setEvents] = useState<string[]>([...EVENTS]);
  const create = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/webhooks", {
          body: { url: url.trim(), events: events as (typeof EVENTS)[number][], description },
        }),
      ),
    gcTime: 0,
    onSuccess: onCreated,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t("ops.url")}
        hint={t("ops.url_hint")}
        value={url}
        onChange={setUrl}
        placeholder="https://example.com/hooks/formwork"
        error={create.isError ? explain(create.error) : ""}
        autoFocus
      />
      <TextField label={t("kb.description")} value={description} onChange={setDescription} />
      <CheckboxGroup className="stack" value={events} onChange={setEvents}>
        <Label>{t("ops.events")}</Label>
        {EVENTS.map((event) => (
          <Checkbox key={event} value={event}>
            {t(`ops.event.${event}`)} <code>{event}</code>
          </Checkbox>
        ))}
      </CheckboxGroup>
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button
          kind="main"
          type="submit"
          isDisabled={!url.trim() || events.length === 0}
          isBusy={create.isPending}
        >
          {t("kb.create")}
        </Button>
      </div>
    </form>
  );
}
