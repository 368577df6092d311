/** A webhook with its deliveries: what was sent, what was answered, and sending again. */

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Confirm } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import type { Delivery } from "./records.ts";

const TONE: Record<Delivery["status"], string> = {
  delivered: "pill ok",
  failed: "pill red",
  pending: "pill vio",
};

function useDeliveries(id: string) {
  return useInfiniteQuery({
    queryKey: ["deliveries", id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
      return data(
        api.GET("/v1/webhooks/{webhook_id}/deliveries", {
          params: { path: { webhook_id: id }, query },
          signal,
        }),
      );
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.deliveries.some((one) => one.status === "pending"))
        ? 2_000
        : false,
  });
}

export function WebhookRoom({ id }: { id: string }) {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const [isDoomed, setDoomed] = useState(false);
  const params = { path: { webhook_id: id } };
  const webhook = useQuery({
    queryKey: ["webhook", id],
    queryFn: ({ signal }) => data(api.GET("/v1/webhooks/{webhook_id}", { params, signal })),
  });
  const asked = useDeliveries(id);
  const deliveries = asked.data?.pages.flatMap((page) => page.deliveries);
  const renew = () => {
    void client.invalidateQueries({ queryKey: ["deliveries", id] });
    void client.invalidateQueries({ queryKey: ["webhook", id] });
  };
  const act = (work: Promise<unknown>, done: string) =>
    void work
      .then(() => tell(done))
      .catch(tellError)
      .finally(renew);
  const replay = (delivery: Delivery) =>
    act(
      data(
        api.POST("/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", {
          params: { path: { webhook_id: id, delivery_id: delivery.id } },
        }),
      ),
      t("ops.replayed"),
    );
  const remove = async () => {
    try {
      await data(api.DELETE("/v1/webhooks/{webhook_id}", { params }));
      void client.invalidateQueries({ queryKey: ["webhooks"] });
      go(href("operations", "webhooks"));
      tell(t("ops.webhook_removed"));
    } catch (error) {
      tellError(error);
    }
  };
  if (webhook.isError) return <Wrong error={webhook.error} retry={() => void webhook.refetch()} />;
  if (!webhook.data) return <Loading />;
  return (
    <>
      <section className="card stack" aria-label={t("ops.webhook")}>
        <Link to={href("operations", "webhooks")}>{t("ops.all_webhooks")}</Link>
        <h2>
          <bdi>{webhook.data.url}</bdi>
        </h2>
        <div className="line-up">
          <span className={webhook.data.enabled ? "pill ok" : "pill red"}>
            {t(webhook.data.enabled ? "ops.enabled" : "ops.disabled")}
          </span>
          {webhook.data.disabled_reason ? <span className="hint">{webhook.data.disabled_reason}</span> : null}
          <span className="hint">
            {webhook.data.events.map((event) => t(`ops.event.${event}`)).join(" · ")}
          </span>
        </div>
        {canWrite ? (
          <div className="actions start">
            <Button
              isDisabled={!webhook.data.enabled}
              onPress={() =>
                act(data(api.POST("/v1/webhooks/{webhook_id}/test", { params })), t("ops.test_sent"))
              }
            >
              {t("ops.send_test")}
            </Button>
            <Button onPress={() => setDoomed(true)}>{t("remove")}</Button>
          </div>
        ) : null}
      </section>
      {asked.isError ? (
        <Wrong error={asked.error} retry={() => void asked.refetch()} />
      ) : !deliveries ? (
        <Loading />
      ) : deliveries.length === 0 ? (
        <Empty title={t("ops.no_deliveries_title")} text={t("ops.no_deliveries_text")} />
      ) : (
        <ol className="deliveries" aria-label={t("ops.deliveries")}>
          {deliveries.map((delivery) => (
            <DeliveryCard
              key={delivery.id}
              delivery={delivery}
              onReplay={canWrite ? () => replay(delivery) : undefined}
            />
          ))}
        </ol>
      )}
      {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      <Confirm
        title={t("ops.remove_webhook")}
        text={t("ops.remove_webhook_text")}
        action={t("remove")}
        isOpen={isDoomed}
        onClose={() => setDoomed(false)}
        onConfirm={() => void remove()}
      />
    </>
  );
}

function DeliveryCard({ delivery, onReplay }: { delivery: Delivery; onReplay?: () => void }) {
  return (
    <li className="card">
      <div className="line-up">
        <span className={TONE[delivery.status]}>{t(`ops.delivery.${delivery.status}`)}</span>
        <b>{delivery.event}</b>
        <span className="hint">
          {time(delivery.created_timestamp)} · {t("ops.attempts", { count: delivery.attempts })}
        </span>
        <span className="gap" />
        {onReplay ? (
          <Button
            kind="small"
            aria-label={t("ops.replay_one", {
              event: delivery.event,
              time: time(delivery.created_timestamp),
            })}
            onPress={onReplay}
          >
            {t("ops.replay")}
          </Button>
        ) : null}
      </div>
      <p className={delivery.error ? "red-text small" : "hint"}>
        {delivery.response_status === null
          ? t("ops.no_response")
          : t("ops.response", { status: number(delivery.response_status) })}
        {delivery.error ? ` · ${delivery.error}` : ""}
      </p>
      <details>
        <summary>{t("ops.request")}</summary>
        <p className="hint">
          <code>webhook-id: {delivery.id}</code>
        </p>
        <pre className="code" tabIndex={0}>
          {JSON.stringify(delivery.payload, null, 2)}
        </pre>
      </details>
    </li>
  );
}
