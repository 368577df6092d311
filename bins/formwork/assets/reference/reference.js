// Draws the description that this server gives, and sends requests to it. Nothing else is asked.
// Text goes in as text nodes alone, so that no description or answer can become markup.

import { STEPS } from "./introduction.js";
import { LANGUAGES, snippet } from "./snippets.js";

const METHODS = ["get", "post", "put", "delete"];
const find = (id) => document.getElementById(id);

/** Makes an element with attributes and children; what is null or false is left out. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== false));
  return element;
}

const pretty = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** A text whose parts between backticks are code. */
const rich = (text) => (text ?? "").split("`").map((part, at) => (at % 2 === 1 ? make("code", {}, part) : part));

/** Follows a `$ref` inside the description. */
function resolve(spec, value) {
  if (!value?.$ref) return value ?? {};
  return value.$ref.slice(2).split("/").reduce((part, name) => part?.[name], spec) ?? {};
}

/** The type of a schema in few words. */
function typeName(spec, schema) {
  const own = resolve(spec, schema);
  const options = own.oneOf ?? own.anyOf;
  if (options && !own.type) return [...new Set(options.map((option) => typeName(spec, option)))].join(" or ");
  if (own.type === "array") return `array of ${typeName(spec, own.items)}`;
  if (own.enum) return own.enum.map((option) => JSON.stringify(option)).join(" | ");
  return [own.type ?? "any"].flat().join(" or ");
}

function limits(schema) {
  const { minimum, maximum } = schema;
  if (minimum != null && maximum != null) return ` (${minimum} to ${maximum})`;
  return minimum != null ? ` (from ${minimum})` : "";
}

/** Rows of an object's fields; objects inside are followed by their own, one below the other. */
function fieldRows(spec, schema, prefix = "", depth = 0) {
  const own = resolve(spec, schema);
  if (own.type === "array") return fieldRows(spec, own.items, `${prefix}[].`, depth);
  if (depth > 4) return [];
  // What stands under names of the caller's choice.
  if (own.additionalProperties?.$ref) return fieldRows(spec, own.additionalProperties, `${prefix}*.`, depth + 1);
  return Object.entries(own.properties ?? {}).flatMap(([name, part]) => {
    const field = resolve(spec, part);
    const needed = own.required?.includes(name) ? "" : ", optional";
    const told = part.description ?? field.description ?? "";
    const row = make("tr", {}, make("td", {}, prefix + name), make("td", {}, typeName(spec, part) + needed),
      make("td", {}, rich(told)));
    const inside = field.type === "array" ? field.items : part;
    const below = `${prefix}${name}${field.type === "array" ? "[]" : ""}.`;
    return [row, ...fieldRows(spec, inside, below, depth + 1)];
  });
}

function table(heads, rows) {
  const head = make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, rows)));
}

function contentParts(spec, content, withExample = true) {
  return Object.entries(content ?? {}).flatMap(([, { schema, example }]) => {
    const rows = fieldRows(spec, schema).filter((row) => row);
    return [
      rows.length > 0 && table(["Field", "Type", ""], rows),
      withExample && example !== undefined && make("pre", { tabindex: "0" }, pretty(example)),
    ];
  });
}

function parameterParts(spec, parameters) {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) => make("tr", {},
    make("td", {}, parameter.name),
    make("td", {}, `${typeName(spec, parameter.schema)}${limits(parameter.schema)}, ${parameter.in}`),
    make("td", {}, rich(parameter.description))));
  return [make("h3", {}, "Parameters"), table(["Name", "Type", ""], rows)];
}

function answerParts(spec, responses) {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (Number(status) < 400) {
      const media = Object.keys(response.content ?? {}).join(", ");
      return [make("h3", {}, `${status} `, rich(response.description), " ", make("small", {}, media)),
        contentParts(spec, response.content)].flat();
    }
    const named = response.content?.["application/json"]?.examples?.failure;
    return [make("details", { class: "failure" },
      make("summary", {}, make("span", { class: "bad" }, status), ` ${response.description}`),
      make("pre", { tabindex: "0" }, pretty(resolve(spec, named).value)))];
  });
}

/** The request of an operation as programs are to send it. */
function exampleOf(path, method, operation, { body, query = "", values = {} } = {}) {
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  const success = Object.entries(operation.responses).find(([status]) => Number(status) < 400)?.[1];
  return {
    url: new URL(`.${filled}${query}`, document.baseURI).href.replaceAll("%7B", "{").replaceAll("%7D", "}"),
    method,
    open: operation.security.length === 0,
    media,
    body: body ?? content?.example ?? {},
    text: !Object.keys(success?.content ?? {}).includes("application/json"),
  };
}

/** The request in several languages, of which one is shown: the same in all parts of the page. */
function snippetPart(request) {
  const output = make("pre", { tabindex: "0" });
  const buttons = LANGUAGES.map((language) => make("button", { type: "button", class: "tab" }, language));
  const part = make("div", { class: "snippet" }, make("div", { class: "tabs", role: "group", "aria-label": "Language" }, buttons), output);
  const show = () => {
    const chosen = document.body.dataset.language ?? LANGUAGES[0];
    output.textContent = snippet(chosen, request);
    for (const button of buttons) button.setAttribute("aria-pressed", button.textContent === chosen);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      document.body.dataset.language = button.textContent;
      dispatchEvent(new Event("language"));
    });
  }
  addEventListener("language", show);
  show();
  return part;
}

/** The main job, request by request. */
function introduction(operations) {
  const steps = STEPS.flatMap((step) => {
    const { path, method, operation } = operations.find((one) => one.operation.operationId === step.operation);
    const request = exampleOf(path, method, operation, { ...step, values: step.path });
    const link = make("a", { href: `#${step.operation}` }, `${method.toUpperCase()} ${path}`);
    return [make("p", {}, step.text, " ", link), snippetPart(request)];
  });
  return make("section", { class: "introduction", id: "introduction" },
    make("h2", {}, "Introduction"),
    make("p", {}, "A form defines typed fields. An agent has a form and reads documents or holds conversations. The " +
      "answer is a record: each value is checked, names its evidence, and is null where the documents do not state it."),
    make("p", {}, "Send your API key in the header X-Service-Key, or as a bearer token. The examples expect it in the " +
      "environment variable FORMWORK_KEY."),
    steps);
}

/** The address with its path and query filled in from the form. */
function address(path, form, parameters) {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const value = form.elements.namedItem(`${place}:${name}`).value;
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === "query" && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return `.${filled}${text && `?${text}`}`;
}

/** What is sent: method, headers and body. */
function requestOf(method, form, operation) {
  const headers = {};
  const key = find("key").value.trim();
  if (key && operation.security.length > 0) headers["X-Service-Key"] = key;
  for (const { name, in: place } of operation.parameters) {
    const value = place === "header" && form.elements.namedItem(`header:${name}`).value;
    if (value) headers[name] = value;
  }
  const request = { method: method.toUpperCase(), headers };
  const body = form.elements.namedItem("body");
  if (body?.type === "file") {
    request.body = new FormData();
    for (const file of body.files) request.body.append("files", file);
  } else if (body) {
    headers["Content-Type"] = "application/json";
    request.body = body.value;
  }
  return request;
}

async function shown(answer) {
  const kind = answer.headers.get("content-type") ?? "";
  if (/^(application\/json|text\/)/.test(kind)) {
    const text = (await answer.text()).slice(0, 200000);
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  return `(${(await answer.blob()).size} bytes of ${kind || "no type"})`;
}

async function send(event, path, method, operation) {
  event.preventDefault();
  const form = event.target;
  const [button, status, output] = ["button", ".status", "pre"].map((part) => form.querySelector(part));
  button.disabled = true;
  status.className = "status";
  status.textContent = "Waiting…";
  try {
    const answer = await fetch(address(path, form, operation.parameters), requestOf(method, form, operation));
    output.textContent = await shown(answer);
    status.classList.add(answer.ok ? "ok" : "bad");
    status.textContent = `${answer.status} ${answer.statusText}`;
  } catch (error) {
    output.textContent = String(error);
    status.classList.add("bad");
    status.textContent = "No answer";
  }
  output.hidden = false;
  button.disabled = false;
}

function inputOf(parameter) {
  const name = `${parameter.in}:${parameter.name}`;
  if (parameter.schema.type !== "boolean") {
    return make("input", { name, required: parameter.in === "path", autocomplete: "off" });
  }
  const option = (value) => make("option", { value }, value);
  return make("select", { name }, option(""), option("true"), option("false"));
}

function bodyInput(operation) {
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!media) return null;
  const input = media === "multipart/form-data"
    ? make("input", { name: "body", type: "file", multiple: true, required: true })
    : make("textarea", { name: "body", spellcheck: "false" }, pretty(content.example ?? {}));
  return make("label", {}, make("span", {}, media === "multipart/form-data" ? "files" : "body"), input);
}

function tryForm(path, method, operation) {
  const form = make("form", {},
    make("h3", {}, "Try it"),
    operation.parameters.map((parameter) =>
      make("label", {}, make("span", {}, parameter.name), inputOf(parameter))),
    bodyInput(operation),
    make("div", { class: "actions" }, make("button", {}, "Send"),
      make("span", { class: "status", role: "status" })),
    make("pre", { hidden: true, tabindex: "0" }));
  form.addEventListener("submit", (event) => send(event, path, method, operation));
  return form;
}

function inside(spec, path, method, operation) {
  const body = operation.requestBody?.content;
  const media = body && Object.keys(body)[0];
  const open = operation.security.length === 0;
  return make("div", { class: "inside" },
    make("p", { class: "note" }, open ? "Needs no API key." : "Needs an API key."),
    parameterParts(spec, operation.parameters),
    body && [make("h3", {}, "Body ", make("small", {}, media)), contentParts(spec, body, false)].flat(),
    make("h3", {}, "Example"),
    snippetPart(exampleOf(path, method, operation)),
    answerParts(spec, operation.responses),
    tryForm(path, method, operation));
}

/** An operation, closed; what is inside is made when it is opened first. */
function operationPart(spec, { path, method, operation }) {
  const part = make("details", { class: "operation", id: operation.operationId },
    make("summary", {}, make("span", { class: `method ${method}` }, method.toUpperCase()),
      make("code", {}, path), make("span", { class: "what" }, operation.summary)));
  part.addEventListener("toggle", () => {
    if (part.open && part.children.length === 1) part.append(inside(spec, path, method, operation));
  });
  return part;
}

function indexEntry({ path, method, operation }) {
  return make("a", { href: `#${operation.operationId}`, title: `${method.toUpperCase()} ${path}` },
    make("span", { class: `method ${method}` }, method.toUpperCase()),
    make("span", {}, operation.operationId.replaceAll("_", " ")));
}

function operationsByTag(spec) {
  const groups = new Map();
  for (const [path, item] of Object.entries(spec.paths)) {
    for (const method of METHODS.filter((name) => item[name])) {
      const operation = item[method];
      const tag = operation.tags[0];
      groups.set(tag, [...(groups.get(tag) ?? []), { path, method, operation }]);
    }
  }
  return groups;
}

/** Hides what does not have the words; a group goes with its last operation. */
function filter(groups) {
  const words = find("search").value.toLowerCase().split(/\s+/);
  for (const { head, title, entries } of groups) {
    for (const { text, link, part } of entries) {
      link.hidden = part.hidden = !words.every((word) => text.includes(word));
    }
    head.hidden = title.hidden = entries.every(({ link }) => link.hidden);
  }
}

function openNamed() {
  const part = find(decodeURIComponent(location.hash.slice(1)));
  if (part?.matches("details.operation")) {
    part.open = true;
    part.scrollIntoView();
  }
}

function draw(spec) {
  find("version").textContent = spec.info.version;
  find("operations").replaceChildren();
  const byTag = operationsByTag(spec);
  find("operations").append(introduction([...byTag.values()].flat()));
  find("index").append(make("a", { href: "#introduction" }, make("span"), make("span", {}, "introduction")));
  const groups = [...byTag].map(([tag, operations]) => {
    const [head, title] = [make("h2", {}, tag), make("h2", {}, tag)];
    find("index").append(head);
    find("operations").append(title);
    const entries = operations.map((one) => {
      const [link, part] = [indexEntry(one), operationPart(spec, one)];
      find("index").append(link);
      find("operations").append(part);
      const { summary, operationId } = one.operation;
      return { link, part, text: `${one.method} ${one.path} ${summary} ${operationId}`.toLowerCase() };
    });
    return { head, title, entries };
  });
  find("search").addEventListener("input", () => filter(groups));
  // A link to the operation that is named already changes nothing in the address.
  find("index").addEventListener("click", () => setTimeout(openNamed));
  addEventListener("hashchange", openNamed);
  openNamed();
}

try {
  const answer = await fetch("./openapi.json");
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  draw(await answer.json());
} catch (error) {
  find("operations").replaceChildren(make("p", { class: "bad" }, `The description cannot be read: ${error.message}.`));
}
