/** The schema under change, with undo and redo. */

import { useCallback, useMemo, useReducer } from "react";
import type { Schema } from "./schema.ts";

/** Steps that can be undone. */
const MAX_STEPS = 200;
/** Changes of the same thing within this time are one step. */
const STEP_MILLISECONDS = 900;

interface State {
  schema: Schema;
  saved: Schema;
  past: Schema[];
  future: Schema[];
  last: { what: string; when: number };
}

type Action =
  | { kind: "change"; schema: Schema; what: string; when: number }
  | { kind: "undo" }
  | { kind: "redo" }
  | { kind: "saved"; schema: Schema }
  | { kind: "open"; schema: Schema };

function reduce(state: State, action: Action): State {
  switch (action.kind) {
    case "change": {
      const isSame =
        action.what !== "" &&
        action.what === state.last.what &&
        action.when - state.last.when < STEP_MILLISECONDS;
      const past = isSame ? state.past : [...state.past, state.schema].slice(-MAX_STEPS);
      return {
        ...state,
        schema: action.schema,
        past,
        future: [],
        last: { what: action.what, when: action.when },
      };
    }
    case "undo": {
      const before = state.past.at(-1);
      if (!before) return state;
      return {
        ...state,
        schema: before,
        past: state.past.slice(0, -1),
        future: [state.schema, ...state.future],
        last: { what: "", when: 0 },
      };
    }
    case "redo": {
      const [next, ...future] = state.future;
      if (!next) return state;
      return {
        ...state,
        schema: next,
        past: [...state.past, state.schema],
        future,
        last: { what: "", when: 0 },
      };
    }
    case "saved":
      return { ...state, saved: action.schema };
    case "open":
      return {
        schema: action.schema,
        saved: action.schema,
        past: [],
        future: [],
        last: { what: "", when: 0 },
      };
  }
}

export interface Draft {
  schema: Schema;
  isChanged: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** `what` names what is changed, so that typing is one step. */
  change: (schema: Schema, what?: string) => void;
  undo: () => void;
  redo: () => void;
  markSaved: (schema: Schema) => void;
  open: (schema: Schema) => void;
}

export function useDraft(first: Schema): Draft {
  const [state, act] = useReducer(reduce, {
    schema: first,
    saved: first,
    past: [],
    future: [],
    last: { what: "", when: 0 },
  });
  const change = useCallback(
    (schema: Schema, what = "") => act({ kind: "change", schema, what, when: Date.now() }),
    [],
  );
  const undo = useCallback(() => act({ kind: "undo" }), []);
  const redo = useCallback(() => act({ kind: "redo" }), []);
  const markSaved = useCallback((schema: Schema) => act({ kind: "saved", schema }), []);
  const open = useCallback((schema: Schema) => act({ kind: "open", schema }), []);
  const isChanged = useMemo(
    () => state.schema !== state.saved && JSON.stringify(state.schema) !== JSON.stringify(state.saved),
    [state.schema, state.saved],
  );
  return {
    schema: state.schema,
    isChanged,
    canUndo: state.past.length > 0,
    canRedo: state.future.length > 0,
    change,
    undo,
    redo,
    markSaved,
    open,
  };
}
