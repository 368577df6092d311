/** Models to try: one is chosen and asked, and tells what it cost. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { t } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, Copy, Panel } from "../../ui/controls.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { ModelTable } from "./models.tsx";
import { answers, bodyOf, curl, EMPTY, isValid, type Settings } from "./request.ts";
import { SettingsPanel } from "./settings.tsx";
import { Talk } from "./talk.tsx";
import { useTurns } from "./turns.ts";

export function Playground() {
  const canWrite = useCanWrite();
  const models = useQuery({
    queryKey: ["models"],
    staleTime: 60_000,
    queryFn: () => data(api.GET("/v1/models")),
  });
  const [settings, setSettings] = useState<Settings>(EMPTY);
  const [text, setText] = useState("");
  const [shown, setShown] = useState<"models" | "curl">();
  const [part, setPart] = useState<"settings" | "talk">("talk");
  const able = models.data?.filter(answers) ?? [];
  // The first model, which is the built-in one where there is no other.
  const model = settings.model || able[0]?.modelId || "";
  const chosen = { ...settings, model };
  const schema = useQuery({
    queryKey: ["json_schema", settings.form],
    enabled: settings.form !== "",
    queryFn: () =>
      data(
        api.GET("/v1/form/{form_id}/json_schema", { params: { path: { form_id: settings.form } } }),
      ) as Promise<unknown>,
  });
  const { turns, isWriting, ask, stop, clear } = useTurns();
  const isReady = isValid(chosen) && (settings.form === "" || schema.data !== undefined);
  const command = shown === "curl" ? curl(bodyOf(chosen, turns, text || t("play.example"), schema.data)) : "";
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.playground")}</h1>
        <span className="gap" />
        <Button onPress={() => setShown("models")}>{t("play.models")}</Button>
        <Button onPress={() => setShown("curl")} isDisabled={!isReady}>
          {t("play.curl")}
        </Button>
      </header>
      {models.isError ? (
        <Wrong error={models.error} retry={() => void models.refetch()} />
      ) : !models.data ? (
        <Loading />
      ) : able.length === 0 ? (
        <Empty title={t("play.none_title")} text={t("play.none_text")} />
      ) : (
        <>
          <div className="parts" role="group" aria-label={t("play.parts")}>
            {(["settings", "talk"] as const).map((name) => (
              <button
                key={name}
                type="button"
                className="tab"
                aria-pressed={part === name}
                onClick={() => setPart(name)}
              >
                {t(`play.part_${name}`)}
              </button>
            ))}
          </div>
          <div className={`play part-${part}`}>
            <SettingsPanel
              settings={chosen}
              models={able}
              schemaError={schema.error}
              onChange={(next) => setSettings({ ...settings, ...next })}
            />
            <Talk
              turns={turns}
              isWriting={isWriting}
              isReady={isReady}
              canWrite={canWrite}
              text={text}
              onText={setText}
              onAsk={(prompt) => {
                setText("");
                void ask(bodyOf(chosen, turns, prompt, schema.data), prompt);
              }}
              onStop={stop}
              onClear={clear}
            />
          </div>
        </>
      )}
      <Panel title={t("play.models")} isOpen={shown === "models"} onClose={() => setShown(undefined)} wide>
        <ModelTable models={models.data ?? []} />
      </Panel>
      <Panel title={t("play.curl")} isOpen={shown === "curl"} onClose={() => setShown(undefined)} wide>
        <p>{t("play.curl_text")}</p>
        <pre className="code" tabIndex={0}>
          <code>{command}</code>
        </pre>
        <div className="actions">
          <Copy text={command} />
        </div>
      </Panel>
    </div>
  );
}
