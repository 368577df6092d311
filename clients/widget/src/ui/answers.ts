/** Controls for the answer that is wanted next. Free text is possible beside all of them. */

import type { Definition, FormState, Next } from "../api.ts";
import { h } from "../dom.ts";
import type { Translate } from "../i18n.ts";

type Say = (text: string) => void;

interface Place {
  t: Translate;
  say: Say;
}

/** More choices than these are a list to choose from. */
const MOST_BUTTONS = 8;

/** The controls, or nothing where only words will do. */
export function answers(form: FormState | null, t: Translate, say: Say): HTMLElement | undefined {
  const place = { t, say };
  if (form?.status === "confirming")
    return group(t("confirm_title"), "", send(place, "confirm", "main"), send(place, "no", "", "change"));
  if (form?.status === "cancelling") return group(t("answer"), "", ...yesOrNo(place));
  if (form?.status !== "filling" || !form.next) return undefined;
  const { next } = form;
  const controls = control(next, form.values, place);
  const more = next.path.endsWith("/-");
  const row = h("div", { class: "quick" }, send(place, more ? "that_is_all" : "skip"), send(place, "back"));
  return group(next.question || t("answer"), "", ...controls, row);
}

function control(next: Next, values: Record<string, unknown>, place: Place): Node[] {
  const { definition } = next;
  const choices = next.choices.map(String);
  if (choices.length > 0) {
    if (definition.type === "array") return [several(without(choices, values[next.field]), place)];
    return [choices.length > MOST_BUTTONS ? oneOfMany(next, choices, place) : buttons(choices, place)];
  }
  if (definition.type === "boolean") return [h("div", { class: "choices" }, ...yesOrNo(place))];
  const kind = picker(definition);
  if (kind) return [picked(next, kind, place)];
  if (definition.type === "money" && next.path.endsWith("/currency"))
    return definition.currencies ? [buttons(definition.currencies, place)] : [];
  if (["number", "integer", "money"].includes(definition.type ?? "")) return [figure(next, place)];
  return [];
}

/** The choices that the list does not have yet. */
function without(choices: string[], chosen: unknown): string[] {
  const taken = Array.isArray(chosen) ? chosen.map(String) : [];
  return choices.filter((choice) => !taken.includes(choice));
}

function group(label: string, kind: string, ...children: Node[]): HTMLElement {
  return h("div", { class: `answers ${kind}`.trim(), role: "group", "aria-label": label }, ...children);
}

type Said = "yes" | "no" | "skip" | "back" | "that_is_all" | "confirm";

/** A button that says its own words, or what stands behind another label. */
function send({ t, say }: Place, said: Said, kind = "", label: Said | "change" = said): HTMLElement {
  return h("button", { type: "button", class: `btn ${kind}`, onclick: () => say(t(said)) }, t(label));
}

function yesOrNo(place: Place): HTMLElement[] {
  return [send(place, "yes", "choice"), send(place, "no", "choice")];
}

function buttons(choices: string[], { say }: Place): HTMLElement {
  const made = choices.map((choice) =>
    h("button", { type: "button", class: "btn choice", onclick: () => say(choice) }, h("bdi", {}, choice)),
  );
  return h("div", { class: "choices" }, ...made);
}

/** A form of its own, so that Enter sends the value. */
function line(send: () => string, place: Place, ...controls: Node[]): HTMLElement {
  const submit = (event: Event) => {
    event.preventDefault();
    const text = send();
    if (text) place.say(text);
  };
  return h(
    "form",
    { class: "line", onsubmit: submit },
    ...controls,
    h("button", { type: "submit", class: "btn main" }, place.t("ok")),
  );
}

function options(choices: string[]): HTMLElement[] {
  return choices.map((choice) => h("option", { value: choice, dir: "auto" }, choice));
}

function oneOfMany(next: Next, choices: string[], place: Place): HTMLElement {
  const empty = h("option", { value: "" }, place.t("choose"));
  const list = h("select", { "aria-label": next.question }, empty, ...options(choices));
  return line(() => list.value, place, list);
}

/** Choices of a list: pressed ones are sent together. */
function several(choices: string[], place: Place): HTMLElement {
  const toggles = choices.map((choice) => {
    const toggle = (event: Event) => {
      const button = event.currentTarget as HTMLElement;
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    };
    return h(
      "button",
      { type: "button", class: "btn choice", "aria-pressed": "false", onclick: toggle },
      h("bdi", {}, choice),
    );
  });
  const chosen = () =>
    choices.filter((_, index) => toggles[index]?.getAttribute("aria-pressed") === "true").join(", ");
  const row = h("div", { class: "choices" }, ...toggles);
  return choices.length > 0 ? line(chosen, place, row) : row;
}

/** The kind of the browser's own picker for a date or time. */
export function picker({ type, format, precision }: Definition): string | undefined {
  if (type === "date") {
    if (precision === "month") return "month";
    return precision && precision !== "day" ? undefined : "date";
  }
  const kind = [type, format].find((one) => one && ["date", "time", "datetime", "date-time"].includes(one));
  return kind?.replace(/^date-?time$/, "datetime-local");
}

function picked(next: Next, type: string, place: Place): HTMLElement {
  const input = h("input", { type, "aria-label": next.question, required: true });
  // Browsers without a picker of months have a field of text.
  if (input.type === "text") input.placeholder = "2026-07";
  return line(() => input.value, place, input);
}

/** A number has a field of its own, since the keyboard of numbers writes no words. */
function figure(next: Next, place: Place): HTMLElement {
  const { type, unit, currencies } = next.definition;
  const mode = type === "integer" ? "numeric" : "decimal";
  const label = unit ? `${next.question} (${unit})` : next.question;
  const input = h("input", { type: "text", inputmode: mode, "aria-label": label, autocomplete: "off" });
  const beside: Node[] = [];
  let currency = () => "";
  if (currencies && currencies.length > 0) {
    const list = h("select", { "aria-label": place.t("currency") }, ...options(currencies));
    currency = () => ` ${list.value}`;
    beside.push(list);
  } else if (unit) beside.push(h("span", { class: "unit", "aria-hidden": "true" }, unit));
  return line(() => (input.value.trim() ? input.value.trim() + currency() : ""), place, input, ...beside);
}
