/** Controls with the look of the console, on accessible components. */

import { type ReactNode, useState } from "react";
import {
  Button as AriaButton,
  type ButtonProps,
  Checkbox as AriaCheckbox,
  type CheckboxProps,
  Dialog,
  FieldError,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from "react-aria-components";
import { t } from "../i18n.ts";

interface OwnButtonProps extends ButtonProps {
  kind?: "" | "main" | "quiet" | "danger" | "small" | "small back";
  /** Whether what it does is being done. It keeps the focus then, which a disabled button loses. */
  isBusy?: boolean;
}

export function Button({ kind = "", isBusy, ...props }: OwnButtonProps) {
  const busy = isBusy ? ({ type: "button", onPress: undefined } as const) : {};
  return <AriaButton {...props} {...busy} className={isBusy ? `btn busy ${kind}` : `btn ${kind}`} />;
}

interface FieldProps extends TextFieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  rows?: number;
  mono?: boolean;
  placeholder?: string;
}

export function TextField({ label, hint, error, rows, mono, placeholder, ...props }: FieldProps) {
  const className = mono ? "in mono" : "in";
  return (
    // The browser would not send a form again whose error the server, or the form itself, told.
    <AriaTextField validationBehavior="aria" {...props} isInvalid={Boolean(error)} className="field">
      <Label>{label}</Label>
      {rows ? (
        <TextArea className={className} rows={rows} placeholder={placeholder} />
      ) : (
        <Input className={className} placeholder={placeholder} />
      )}
      {hint ? (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      ) : null}
      <FieldError className="wrong">{error}</FieldError>
    </AriaTextField>
  );
}

export function Checkbox({ children, ...props }: Omit<CheckboxProps, "children"> & { children: ReactNode }) {
  return (
    <AriaCheckbox {...props} className="chk">
      <span className="tick" aria-hidden="true" />
      <span>{children}</span>
    </AriaCheckbox>
  );
}

export interface Option {
  id: string;
  label: string;
  hint?: string;
}

interface SelectProps {
  label: string;
  options: Option[];
  value: string | null;
  onChange: (id: string) => void;
  /** Whether the label is for screen readers alone. */
  bare?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
}

export function Select({ label, options, value, onChange, bare, isDisabled, placeholder }: SelectProps) {
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(next) => next !== null && onChange(String(next))}
      isDisabled={isDisabled}
      placeholder={placeholder ?? t("choose")}
      {...(bare ? { "aria-label": label } : {})}
    >
      {bare ? null : <Label>{label}</Label>}
      <AriaButton className="in pick">
        <SelectValue />
        <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className="pop">
        <ListBox items={options} className="list">
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className="item">
              <Text slot="label">{option.label}</Text>
              {option.hint ? <Text slot="description">{option.hint}</Text> : null}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

interface MenuProps {
  label: ReactNode;
  kind?: "" | "main" | "quiet" | "small";
  items: Option[];
  onAction: (id: string) => void;
  isDisabled?: boolean;
  name?: string;
}

export function Menu({ label, kind = "", items, onAction, isDisabled, name }: MenuProps) {
  return (
    <MenuTrigger>
      <AriaButton className={`btn ${kind}`} isDisabled={isDisabled} aria-label={name}>
        {label} <span aria-hidden="true">▾</span>
      </AriaButton>
      <Popover className="pop" placement="bottom end">
        <AriaMenu items={items} onAction={(id) => onAction(String(id))} className="list">
          {(item) => (
            <MenuItem id={item.id} textValue={item.label} className="item">
              <Text slot="label">{item.label}</Text>
              {item.hint ? <Text slot="description">{item.hint}</Text> : null}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

interface PanelProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  wide?: boolean;
  /** Whether it stays until it is answered. */
  fixed?: boolean;
}

export function Panel({ title, isOpen, onClose, children, wide, fixed }: PanelProps) {
  return (
    <ModalOverlay
      className="veil"
      isOpen={isOpen}
      isDismissable={!fixed}
      isKeyboardDismissDisabled={fixed}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={wide ? "modal wide" : "modal"}>
        <Dialog className="panel">
          <div className="panel-head">
            <Heading slot="title">{title}</Heading>
            {fixed ? null : (
              <AriaButton className="btn quiet" onPress={onClose} aria-label={t("close")}>
                ✕
              </AriaButton>
            )}
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

export function Confirm({ title, text, action, isOpen, onClose, onConfirm }: ConfirmProps) {
  return (
    <Panel title={title} isOpen={isOpen} onClose={onClose}>
      <p>{text}</p>
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button
          kind="danger"
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Panel>
  );
}

/** Over plain HTTP a browser gives no clipboard to write to, but it still copies what a listener gives it. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const give = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  document.addEventListener("copy", give, { once: true });
  document.execCommand("copy");
}

export function Copy({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  return (
    <Button
      kind="small"
      onPress={() => {
        void toClipboard(text).then(() => setDone(true));
        setTimeout(() => setDone(false), 2000);
      }}
    >
      {done ? t("copied") : t("copy")}
    </Button>
  );
}
