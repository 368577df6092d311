/** Questions to a knowledge base, answered by a model with citations. */

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Failure, type Schemas } from "../../api.ts";
import { events } from "../../events.ts";
import { t } from "../../i18n.ts";
import { Button, Select, TextField } from "../../ui/controls.tsx";
import { Empty } from "../../ui/notices.tsx";
import { Answer, type Exchange } from "./answer.tsx";
import { type Base, useModels } from "./data.ts";
import { type Passage, SourcePane } from "./item.tsx";

type Generated = Schemas["GeneratedRecord"];

/** Earlier questions and answers that go with a new question. */
const REMEMBERED = 5;

export function Ask({ base }: { base: Base }) {
  const { models, isPending } = useModels("text-to-text");
  const [model, setModel] = useState<string>();
  const [text, setText] = useState("");
  const [exchanges, setExchanges] = useState<Exchange[]>([]);
  const [passage, setPassage] = useState<Passage>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const chosen = model ?? models[0]?.modelId;
  const isBusy = exchanges.at(-1)?.isRunning ?? false;
  const put = (change: (last: Exchange) => Exchange) =>
    setExchanges((all) => all.map((one, index) => (index === all.length - 1 ? change(one) : one)));

  const ask = async (prompt: string) => {
    if (!chosen) return;
    const control = new AbortController();
    stop.current = control;
    setPassage(undefined);
    const messages = exchanges
      .filter((one) => one.answer?.text)
      .slice(-REMEMBERED)
      .flatMap((one) => [
        { role: "user", content: one.prompt },
        { role: "assistant", content: one.answer?.text },
      ]);
    setExchanges((all) => [...all, { prompt, text: "", isRunning: true }]);
    const body = {
      modelId: chosen,
      prompt,
      knowledgeId: base.knowledgeId,
      stream: true,
      ...(messages.length > 0 ? { messages } : {}),
    };
    try {
      for await (const event of events("/v2/generate", control.signal, body)) {
        if (event.name === "delta")
          put((last) => ({ ...last, text: last.text + String(event.data.text ?? "") }));
        else if (event.name === "done")
          put((last) => ({ ...last, answer: event.data as unknown as Generated }));
        else if (event.name === "error") throw new Failure(502, event.data);
      }
      put((last) => ({ ...last, isRunning: false }));
    } catch (error) {
      const isStopped = error instanceof DOMException;
      if (!isStopped || stop.current === control)
        put((last) => ({ ...last, isRunning: false, error: isStopped ? undefined : error, isStopped }));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const prompt = text.trim();
    if (!prompt || isBusy) return;
    setText("");
    void ask(prompt);
  };
  return (
    <div className={passage ? "sought open" : "sought"}>
      <div className="seek">
        <div className="answers" tabIndex={0} aria-live="polite" aria-label={t("kb.answers")} role="log">
          {exchanges.length === 0 ? <Empty title={t("kb.ask_title")} text={t("kb.ask_text")} /> : null}
          {exchanges.map((exchange, index) => (
            <Answer key={index} exchange={exchange} onShow={setPassage} />
          ))}
        </div>
        <form className="seek-form stack" onSubmit={submit}>
          <div className="ask-line">
            <TextField
              label={t("kb.question")}
              value={text}
              onChange={setText}
              autoFocus
              placeholder={t("kb.question_example")}
            />
            {isBusy ? (
              <Button onPress={() => stop.current?.abort()}>{t("kb.stop")}</Button>
            ) : (
              <Button kind="main" type="submit" isDisabled={!text.trim() || !chosen}>
                {t("kb.ask")}
              </Button>
            )}
          </div>
          <div className="line-up">
            {models.length > 0 ? (
              <Select
                bare
                label={t("kb.answer_model")}
                value={chosen ?? null}
                onChange={setModel}
                options={models.map((known) => ({
                  id: known.modelId,
                  label: known.name,
                  hint: known.modelId,
                }))}
              />
            ) : isPending ? null : (
              <p className="hint">{t("kb.no_answer_model")}</p>
            )}
            {exchanges.length > 0 && !isBusy ? (
              <Button
                kind="quiet"
                onPress={() => {
                  setExchanges([]);
                  setPassage(undefined);
                }}
              >
                {t("kb.ask_new")}
              </Button>
            ) : null}
          </div>
        </form>
      </div>
      <SourcePane passage={passage} hint={t("kb.pick_citation")} onBack={() => setPassage(undefined)} />
    </div>
  );
}
