/** The choice of files and folders, by dropping them or by a dialog of the browser. */

import { type DragEvent, useRef, useState } from "react";
import { number, t } from "../i18n.ts";
import { Button } from "../ui/controls.tsx";
import { dropped } from "./upload.ts";

const MAX_LISTED = 200;

interface ChoiceProps {
  files: File[];
  onChange: (files: File[]) => void;
  isDisabled: boolean;
}

export function FileChoice({ files, onChange, isDisabled }: ChoiceProps) {
  const [isOver, setOver] = useState(false);
  // What is dropped is read in the background; it is added to what is there by then.
  const latest = useRef(files);
  latest.current = files;
  const add = (more: File[]) => {
    const known = latest.current;
    onChange([...known, ...more.filter((file) => !known.some((other) => isSame(other, file)))]);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (!isDisabled) void dropped(event.dataTransfer).then(add);
  };
  return (
    <>
      <div
        className={isOver ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <p>
          <b>{t("new.drop")}</b>
          <br />
          {t("new.kinds")}
        </p>
        <div className="actions center">
          <Picker label={t("new.files")} onPick={add} isDisabled={isDisabled} />
          <Picker label={t("new.folder")} onPick={add} isDisabled={isDisabled} isFolder />
        </div>
      </div>
      {files.length > 0 ? (
        <details className="files">
          <summary>{t("new.chosen", { count: files.length })}</summary>
          <ul>
            {files.slice(0, MAX_LISTED).map((file, index) => (
              <li key={`${file.webkitRelativePath}${file.name}${index}`}>
                <bdi>{file.webkitRelativePath || file.name}</bdi>
                <span className="hint">
                  {t("new.kilobytes", { size: number(Math.ceil(file.size / 1024)) })}
                </span>
                <Button
                  kind="quiet"
                  aria-label={t("new.leave_out", { name: file.name })}
                  onPress={() => onChange(files.filter((other) => other !== file))}
                >
                  ✕
                </Button>
              </li>
            ))}
          </ul>
          {files.length > MAX_LISTED ? (
            <p className="hint">{t("new.more", { count: files.length - MAX_LISTED })}</p>
          ) : null}
        </details>
      ) : null}
    </>
  );
}

interface PickerProps {
  label: string;
  onPick: (files: File[]) => void;
  isDisabled: boolean;
  isFolder?: boolean;
}

function Picker({ label, onPick, isDisabled, isFolder }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onPress={() => input.current?.click()} isDisabled={isDisabled}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(isFolder ? { webkitdirectory: "" } : {})}
        onChange={(event) => {
          onPick([...(event.target.files ?? [])].filter((file) => !file.name.startsWith(".")));
          event.target.value = "";
        }}
      />
    </>
  );
}

function isSame(a: File, b: File): boolean {
  return (
    a.name === b.name &&
    a.size === b.size &&
    a.webkitRelativePath === b.webkitRelativePath &&
    a.lastModified === b.lastModified
  );
}
