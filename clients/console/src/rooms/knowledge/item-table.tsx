/** Items as a table: a choice of several, and what can be done with each. */

import { number, t, time } from "../../i18n.ts";
import { Button, Checkbox } from "../../ui/controls.tsx";
import type { Item, ItemState } from "./data.ts";

const TONE: Record<string, string> = {
  ready: "pill ok",
  failed: "pill red",
  processing: "pill vio",
};

interface ItemTableProps {
  items: Item[];
  canWrite: boolean;
  chosen: Set<string>;
  onChoose: (chosen: Set<string>) => void;
  onOpen: (item: Item) => void;
  onRetry: (item: Item) => void;
  onRemove: (item: Item) => void;
}

export function ItemTable({ items, canWrite, chosen, onChoose, onOpen, onRetry, onRemove }: ItemTableProps) {
  const toggle = (id: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(id);
    else next.delete(id);
    onChoose(next);
  };
  const isAll = items.every((item) => chosen.has(item.id));
  return (
    <div className="card flush">
      <table className="plain stacked">
        <thead>
          <tr>
            {canWrite ? (
              <th>
                <Checkbox
                  isSelected={isAll}
                  onChange={(isOn) => onChoose(new Set(isOn ? items.map((item) => item.id) : []))}
                >
                  <span className="unseen">{t("kb.choose_all")}</span>
                </Checkbox>
              </th>
            ) : null}
            <th>{t("kb.item")}</th>
            <th>{t("kb.state")}</th>
            <th className="wide-only">{t("kb.kind")}</th>
            <th className="end wide-only">{t("kb.chunks")}</th>
            <th className="wide-only">{t("kb.added")}</th>
            <th>
              <span className="unseen">{t("kb.actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              {canWrite ? (
                <td>
                  <Checkbox isSelected={chosen.has(item.id)} onChange={(isOn) => toggle(item.id, isOn)}>
                    <span className="unseen">{t("kb.choose_one", { name: item.name })}</span>
                  </Checkbox>
                </td>
              ) : null}
              <td>
                <button type="button" className="as-link" onClick={() => onOpen(item)}>
                  <bdi>{item.name}</bdi>
                </button>
                {item.error ? (
                  <p className={item.status === "failed" ? "red-text small" : "hint"}>{item.error.message}</p>
                ) : null}
                {item.url ? (
                  <p className="hint">
                    <bdi>{item.url}</bdi>
                  </p>
                ) : null}
              </td>
              <td>
                <span className={TONE[item.status] ?? "pill"}>
                  {t(`kb.status.${item.status as ItemState}`)}
                  {item.status === "processing" && item.progress.total > 0
                    ? ` ${number(item.progress.done)}/${number(item.progress.total)}`
                    : ""}
                </span>
              </td>
              <td className="wide-only">{t(`kb.source.${item.source as "file"}`)}</td>
              <td className="end wide-only">{number(item.chunks)}</td>
              <td className="wide-only">{time(item.created_timestamp)}</td>
              <td className="end">
                {canWrite ? (
                  <span className="actions">
                    {item.status === "failed" ? (
                      <Button
                        kind="small"
                        aria-label={t("kb.retry_one", { name: item.name })}
                        onPress={() => onRetry(item)}
                      >
                        {t("try_again")}
                      </Button>
                    ) : null}
                    <Button
                      kind="small"
                      aria-label={t("kb.remove_one", { name: item.name })}
                      onPress={() => onRemove(item)}
                    >
                      {t("remove")}
                    </Button>
                  </span>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
