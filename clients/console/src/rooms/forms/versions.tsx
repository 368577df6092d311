/** The versions of a form, and what differs between one of them and what is on the page. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, data, type Form } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { type Change, difference, type Schema } from "./schema.ts";

export function useVersions(formId: string, isOpen: boolean) {
  return useQuery({
    queryKey: ["versions", formId],
    enabled: isOpen,
    queryFn: () =>
      data(
        api.GET("/v1/form/{form_id}/versions", {
          params: { path: { form_id: formId }, query: { limit: 100 } },
        }),
      ),
  });
}

export function useVersion(formId: string, version: number | undefined) {
  return useQuery({
    queryKey: ["form", formId, "version", version],
    enabled: version !== undefined,
    staleTime: Infinity,
    queryFn: () =>
      data(
        api.GET("/v1/form/{form_id}/versions/{version}", {
          params: { path: { form_id: formId, version: version ?? 1 } },
        }),
      ),
  });
}

interface VersionsProps {
  form: Form;
  schema: Schema;
  isOpen: boolean;
  onClose: () => void;
  onTake: (schema: Schema) => void;
}

export function Versions({ form, schema, isOpen, onClose, onTake }: VersionsProps) {
  const canWrite = useCanWrite();
  const asked = useVersions(form.form_id, isOpen);
  const [chosen, setChosen] = useState<number>();
  const shown = chosen ?? asked.data?.published_version;
  const version = useVersion(form.form_id, isOpen ? shown : undefined);
  return (
    <Panel title={t("versions.title")} isOpen={isOpen} onClose={onClose} wide>
      {asked.isError ? <Wrong error={asked.error} /> : null}
      {!asked.data ? (
        <Loading />
      ) : (
        <div className="two">
          <ul className="leaves">
            {asked.data.versions.map((item) => (
              <li key={item.version}>
                <button
                  type="button"
                  aria-pressed={item.version === shown}
                  onClick={() => setChosen(item.version)}
                >
                  <b>{t("versions.one", { version: String(item.version) })}</b>
                  {item.version === asked.data.published_version ? (
                    <span className="pill ok">{t("forms.in_force")}</span>
                  ) : item.state === "draft" ? (
                    <span className="pill warn">{t("versions.draft")}</span>
                  ) : null}
                  <span className="gap" />
                  <small>{time(item.created_timestamp)}</small>
                </button>
              </li>
            ))}
          </ul>
          <div>
            <h3>{t("versions.compared", { version: String(shown ?? "") })}</h3>
            {version.data ? (
              <Difference changes={difference(version.data.schema as Schema, schema)} />
            ) : (
              <Loading />
            )}
            {version.data && canWrite ? (
              <Button
                onPress={() => {
                  onTake(version.data.schema as Schema);
                  onClose();
                }}
              >
                {t("versions.take", { version: String(shown) })}
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Panel>
  );
}

export function Difference({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return <p className="hint">{t("versions.equal")}</p>;
  return (
    <ul className="diff">
      {changes.slice(0, 500).map((change) => (
        <li key={change.path} className={change.kind}>
          <b>
            <bdi>{change.path}</bdi>
          </b>{" "}
          <span className="pill">{t(`diff.${change.kind}`)}</span>
          {change.keys.map(({ name, before, after }) => (
            <div key={name}>
              <code>{name}</code>: {before === undefined ? null : <del dir="auto">{short(before)}</del>}{" "}
              {after === undefined ? null : <ins dir="auto">{short(after)}</ins>}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

function short(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
