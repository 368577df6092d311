// Examples of requests as programs: curl, Python with httpx, TypeScript with fetch.

export const LANGUAGES = ["curl", "Python", "TypeScript"];

const indent = (text, by) => text.replaceAll("\n", `\n${" ".repeat(by)}`);

/** A single word of the shell. */
const shellWord = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A JSON value as a literal of Python. */
function pythonLiteral(value, depth = 0) {
  const [inner, outer] = [" ".repeat(4 * (depth + 1)), " ".repeat(4 * depth)];
  const block = (open, parts, close) =>
    parts.length === 0 ? open + close : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${outer}${close}`;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return block("[", value.map((part) => pythonLiteral(part, depth + 1)), "]");
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value);
  return block("{", entries.map(([name, part]) => `${JSON.stringify(name)}: ${pythonLiteral(part, depth + 1)}`), "}");
}

function curlCommand({ url, method, open, media, body }) {
  const parts = [method === "get" ? `curl "${url}"` : `curl -X ${method.toUpperCase()} "${url}"`];
  if (!open) parts.push('-H "X-Service-Key: $FORMWORK_KEY"');
  if (media === "multipart/form-data") parts.push("-F files=@document.pdf");
  else if (media) parts.push(`-H "Content-Type: ${media}"`, `-d ${shellWord(JSON.stringify(body, null, 2))}`);
  return parts.join(" \\\n  ");
}

function python({ url, method, open, media, body, text }) {
  const options = [`"${url}"`];
  if (!open) options.push('headers={"X-Service-Key": os.environ["FORMWORK_KEY"]}');
  if (media === "multipart/form-data") options.push('files={"files": open("document.pdf", "rb")}');
  else if (media) options.push(`json=${indent(pythonLiteral(body), 4)}`);
  const call = `httpx.request(\n    "${method.toUpperCase()}",\n    ${options.join(",\n    ")},\n)`;
  const imports = open ? "import httpx" : "import os\n\nimport httpx";
  return `${imports}\n\nanswer = ${call}\nanswer.raise_for_status()\nprint(answer.${text ? "text" : "json()"})`;
}

function typescript({ url, method, open, media, body, text }) {
  const multipart = media === "multipart/form-data";
  const headers = [];
  if (!open) headers.push('"X-Service-Key": process.env.FORMWORK_KEY!');
  if (media && !multipart) headers.push(`"Content-Type": "${media}"`);
  const options = [`method: "${method.toUpperCase()}"`];
  if (headers.length > 0) options.push(`headers: { ${headers.join(", ")} }`);
  if (multipart) options.push("body: form");
  else if (media) options.push(`body: JSON.stringify(${indent(JSON.stringify(body, null, 2), 2)})`);
  const form = multipart
    ? 'import { openAsBlob } from "node:fs";\n\nconst form = new FormData();\n' +
      'form.append("files", await openAsBlob("document.pdf"), "document.pdf");\n'
    : "";
  return `${form}const answer = await fetch("${url}", {\n  ${options.join(",\n  ")},\n});\n` +
    `if (!answer.ok) throw new Error(await answer.text());\nconsole.log(await answer.${text ? "text" : "json"}());`;
}

/** The request as a program in a language. */
export const snippet = (language, request) => ({ curl: curlCommand, Python: python, TypeScript: typescript })[language](request);
