/** The list of fields, in the order in which they are asked for. It is moved by drag and by keyboard. */

import { memo, useMemo } from "react";
import {
  Button as AriaButton,
  GridList,
  GridListItem,
  ListLayout,
  useDragAndDrop,
  Virtualizer,
} from "react-aria-components";
import { t } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button } from "../../ui/controls.tsx";
import { keyOf, type Listed, listed, pathOf, type Schema, SIGNS } from "./schema.ts";

interface FieldsProps {
  schema: Schema;
  selected: string[] | undefined;
  wrong: Set<string>;
  onSelect: (path: string[]) => void;
  onMove: (path: string[], sibling: string, side: "before" | "after") => void;
  onAdd: () => void;
}

/** The ancestor of `key` that is a sibling of `path`, or nothing. */
function siblingOf(path: string[], key: string): string | undefined {
  const other = pathOf(key);
  const parent = path.slice(0, -1);
  const isBelow = parent.every((part, index) => other[index] === part);
  return isBelow ? other[parent.length] : undefined;
}

export const Fields = memo(function Fields({
  schema,
  selected,
  wrong,
  onSelect,
  onMove,
  onAdd,
}: FieldsProps) {
  const canWrite = useCanWrite();
  const fields = useMemo(() => listed(schema), [schema]);
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !canWrite,
    getItems: (keys) =>
      [...keys].map((key) => ({ "text/plain": pathOf(String(key)).at(-1) ?? "", field: String(key) })),
    acceptedDragTypes: ["field"],
    getDropOperation: (target, _types, allowed) =>
      target.type === "item" && target.dropPosition !== "on" ? (allowed[0] ?? "move") : "cancel",
    onReorder: ({ keys, target }) => {
      const [key] = [...keys];
      const path = pathOf(String(key));
      const sibling = siblingOf(path, String(target.key));
      if (sibling) onMove(path, sibling, target.dropPosition === "before" ? "before" : "after");
    },
  });
  const shift = (path: string[], step: -1 | 1) => {
    const level = fields.filter(
      (field) =>
        field.path.length === path.length && field.path.slice(0, -1).every((part, i) => part === path[i]),
    );
    const at = level.findIndex((field) => keyOf(field.path) === keyOf(path));
    const target = level[at + step];
    if (target) onMove(path, target.name, step < 0 ? "before" : "after");
  };
  const items = useMemo(() => fields.map((field) => ({ id: keyOf(field.path), field })), [fields]);
  return (
    <section
      className="col fields"
      aria-label={t("forms.fields")}
      onKeyDownCapture={(event) => {
        if (!event.altKey || !selected || !canWrite) return;
        if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
        event.preventDefault();
        event.stopPropagation();
        shift(selected, event.key === "ArrowUp" ? -1 : 1);
      }}
    >
      <div className="hd">
        {t("forms.fields")} <small>{t("forms.as_asked", { count: fields.length })}</small>
        <span className="gap" />
        {canWrite ? (
          <Button kind="small" onPress={onAdd}>
            + {t("forms.add")}
          </Button>
        ) : null}
      </div>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: 52, gap: 4, padding: 2 }}>
        <GridList
          className="field-list"
          aria-label={t("forms.fields")}
          items={items}
          dragAndDropHooks={dragAndDropHooks}
          selectionMode="single"
          selectionBehavior="replace"
          disallowEmptySelection
          selectedKeys={selected ? [keyOf(selected)] : []}
          onSelectionChange={(keys) => {
            const [key] = keys === "all" ? [] : [...keys];
            if (key !== undefined) onSelect(pathOf(String(key)));
          }}
          renderEmptyState={() => <p className="pad hint">{t("forms.no_fields")}</p>}
        >
          {({ id, field }) => (
            <Item key={id} id={id} field={field} isWrong={wrong.has(id)} canMove={canWrite} />
          )}
        </GridList>
      </Virtualizer>
      {canWrite ? (
        <p className="hint pad">
          <kbd>Alt</kbd> <kbd>↑</kbd> <kbd>↓</kbd> {t("forms.move_hint")}
        </p>
      ) : null}
    </section>
  );
});

function Item({
  id,
  field,
  isWrong,
  canMove,
}: {
  id: string;
  field: Listed;
  isWrong: boolean;
  canMove: boolean;
}) {
  const { definition, name, depth } = field;
  const type = String(definition.type ?? "");
  const when = definition.when
    ? t("forms.only_if", { fields: Object.keys(definition.when as object).join(", ") })
    : "";
  return (
    <GridListItem id={id} textValue={name} className={`field-item depth-${Math.min(depth, 4)}`}>
      {canMove ? (
        <AriaButton slot="drag" className="grip" aria-label={t("forms.drag", { name })}>
          ⋮⋮
        </AriaButton>
      ) : null}
      <span className="sign" aria-hidden="true">
        {SIGNS[type] ?? "?"}
      </span>
      <span className="field-name">
        <span>
          <bdi>{name}</bdi>
          {definition.required ? <i aria-label={t("forms.required")}> *</i> : null}
          {definition.computed ? <i className="vio-text"> ƒ</i> : null}
        </span>
        <small>
          <bdi>{when || String(definition.description ?? t(`type.${type as "string"}`))}</bdi>
        </small>
      </span>
      {isWrong ? (
        <span className="pill red" role="img" aria-label={t("forms.has_errors")}>
          !
        </span>
      ) : null}
    </GridListItem>
  );
}
