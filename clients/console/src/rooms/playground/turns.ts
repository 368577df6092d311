/** Questions with their answers, as these are written. */

import { useEffect, useRef, useState } from "react";
import { Failure } from "../../api.ts";
import { events } from "../../events.ts";
import { explain } from "../../ui/notices.tsx";
import type { Answer, Turn } from "./request.ts";

export interface Turns {
  turns: Turn[];
  isWriting: boolean;
  ask: (body: object, prompt: string) => Promise<void>;
  stop: () => void;
  clear: () => void;
}

export function useTurns(): Turns {
  const [turns, setTurns] = useState<Turn[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  /** Changes the last turn. */
  const change = (of: (turn: Turn) => Turn) =>
    setTurns((known) => known.map((turn, index) => (index === known.length - 1 ? of(turn) : turn)));
  const ask = async (body: object, prompt: string) => {
    if (running.current) return;
    const stop = new AbortController();
    running.current = stop;
    setTurns((known) => [...known, { prompt, text: "", state: "writing" }]);
    try {
      let isWhole = false;
      for await (const event of events("/v2/generate", stop.signal, { ...body, stream: true })) {
        if (event.name === "delta")
          change((turn) => ({ ...turn, text: turn.text + String(event.data.text ?? "") }));
        if (event.name === "error") throw new Failure(502, event.data);
        if (event.name === "done") {
          const answer = event.data as unknown as Answer;
          isWhole = true;
          change((turn) => ({ ...turn, text: answer.text, answer, state: "done" }));
        }
      }
      if (!isWhole) throw new Failure(0, {});
    } catch (error) {
      if (stop.signal.aborted) change((turn) => ({ ...turn, state: "stopped" }));
      else change((turn) => ({ ...turn, state: "failed", error: explain(error) }));
    }
    if (running.current === stop) running.current = undefined;
  };
  return {
    turns,
    isWriting: turns.at(-1)?.state === "writing",
    ask,
    stop: () => running.current?.abort(),
    clear: () => {
      running.current?.abort();
      running.current = undefined;
      setTurns([]);
    },
  };
}
