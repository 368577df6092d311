/** The items of a knowledge base with their state; added, tried again, removed. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { api, data } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Confirm, Panel } from "../../ui/controls.tsx";
import { Empty, Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { Add } from "./add.tsx";
import { type Base, type Item, type ItemState, MAX_FOUND, renew, useItems, useNamed } from "./data.ts";
import { ItemTable } from "./item-table.tsx";
import { ItemPanel } from "./item.tsx";

const STATES = ["queued", "processing", "ready", "failed"] as const;
/** Items that one request removes. */
const REMOVED_AT_ONCE = 100;
/** Items that are found by name and shown at first; more are shown on demand. */
const SHOWN = 200;

export function Items({ base }: { base: Base }) {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const id = base.knowledgeId;
  const [status, setStatus] = useState<ItemState | "">("");
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Set<string>>(new Set());
  const [doomed, setDoomed] = useState<Item[]>();
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<Item>();
  const [most, setMost] = useState(SHOWN);
  const wanted = text.trim();
  const listed = useItems(id, status, wanted === "");
  const named = useNamed(id, status, wanted);
  const asked = wanted ? named : listed;
  const items = wanted ? named.items?.slice(0, most) : listed.data?.pages.flatMap((page) => page.files);

  const retry = async (failed: Item[]) => {
    try {
      for (const item of failed)
        await data(api.POST("/v1/knowledgebase/files/{id}/retry", { params: { path: { id: item.id } } }));
    } catch (error) {
      tellError(error);
    }
    renew(client, id);
  };
  const remove = async (gone: Item[]) => {
    try {
      for (let at = 0; at < gone.length; at += REMOVED_AT_ONCE) {
        const ids = gone.slice(at, at + REMOVED_AT_ONCE).map((item) => item.id);
        await data(
          api.DELETE("/v1/knowledgebase/{knowledgeId}/sources", {
            params: { path: { knowledgeId: id } },
            body: { ids },
          }),
        );
      }
      tell(t("kb.removed", { count: gone.length }));
      setChosen(new Set());
    } catch (error) {
      tellError(error);
    }
    renew(client, id);
  };
  const picked = (items ?? []).filter((item) => chosen.has(item.id));
  const failed = (items ?? []).filter((item) => item.status === "failed");
  const add = (
    <Button kind="main" onPress={() => setAdding(true)}>
      {t("kb.add")}
    </Button>
  );
  return (
    <>
      <div className="filters bar-line">
        <div className="chips" role="group" aria-label={t("kb.show")}>
          {(["", ...STATES] as const).map((name) => (
            <button
              type="button"
              key={name}
              className="chip"
              aria-pressed={status === name}
              onClick={() => {
                setStatus(name);
                setChosen(new Set());
              }}
            >
              {name ? t(`kb.status.${name}`) : t("filter.all")}{" "}
              {number(name ? base.status[name] : base.files)}
            </button>
          ))}
        </div>
        <span className="gap" />
        <SearchField aria-label={t("kb.find")} className="find" value={text} onChange={setText}>
          <Input className="in" placeholder={t("kb.find")} />
        </SearchField>
        {canWrite && picked.length > 0 ? (
          <Button onPress={() => setDoomed(picked)}>{t("kb.remove_chosen", { count: picked.length })}</Button>
        ) : null}
        {canWrite && failed.length > 0 ? (
          <Button onPress={() => void retry(failed)}>{t("kb.retry_all", { count: failed.length })}</Button>
        ) : null}
        {canWrite ? add : null}
      </div>
      <div className="scroll pad">
        {asked.isError ? (
          <Wrong error={asked.error} retry={() => void asked.refetch()} />
        ) : !items ? (
          <Loading />
        ) : items.length === 0 && !wanted && !status ? (
          <Empty title={t("kb.no_items_title")} text={t("kb.no_items_text")}>
            {canWrite ? add : null}
          </Empty>
        ) : items.length === 0 ? (
          <p className="hint">{t("kb.no_match")}</p>
        ) : (
          <ItemTable
            items={items}
            canWrite={canWrite}
            chosen={chosen}
            onChoose={setChosen}
            onOpen={setShown}
            onRetry={(item) => void retry([item])}
            onRemove={(item) => setDoomed([item])}
          />
        )}
        {wanted && (named.items?.length ?? 0) > most ? (
          <Button onPress={() => setMost(most + SHOWN)}>{t("more")}</Button>
        ) : null}
        {wanted && (named.data?.length ?? 0) >= MAX_FOUND ? (
          <p className="hint">{t("kb.found_limit", { count: MAX_FOUND })}</p>
        ) : null}
        {!wanted && listed.hasNextPage ? (
          <Button onPress={() => void listed.fetchNextPage()}>{t("more")}</Button>
        ) : null}
      </div>
      <Panel title={t("kb.add_title")} isOpen={isAdding} onClose={() => setAdding(false)} wide>
        {isAdding ? <Add base={base} onClose={() => setAdding(false)} /> : null}
      </Panel>
      <Panel title={shown?.name ?? ""} isOpen={shown !== undefined} onClose={() => setShown(undefined)} wide>
        {shown ? <ItemPanel item={shown} /> : null}
      </Panel>
      <Confirm
        title={t("kb.remove_title")}
        text={
          doomed?.length === 1
            ? t("kb.remove_one_text", { name: doomed[0]?.name ?? "" })
            : t("kb.remove_text", { count: doomed?.length ?? 0 })
        }
        action={t("remove")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && void remove(doomed)}
      />
    </>
  );
}
