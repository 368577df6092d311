/** A question before something goes for good, answered by the name of what goes. */

import { type FormEvent, useState } from "react";
import { t } from "../i18n.ts";
import { Button, Panel, TextField } from "./controls.tsx";

interface ConfirmNameProps {
  title: string;
  text: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function ConfirmName(props: ConfirmNameProps) {
  return (
    <Panel title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      {props.isOpen ? <Body {...props} /> : null}
    </Panel>
  );
}

function Body({ text, name, onClose, onConfirm }: ConfirmNameProps) {
  const [typed, setTyped] = useState("");
  const isSame = typed.trim() === name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSame) return;
    onClose();
    onConfirm();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{text}</p>
      <p className="box">
        <bdi>{name}</bdi>
      </p>
      <TextField label={t("kb.confirm_name")} value={typed} onChange={setTyped} autoFocus />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="danger" type="submit" isDisabled={!isSame}>
          {t("remove")}
        </Button>
      </div>
    </form>
  );
}
