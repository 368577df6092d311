/** How programs use a form. */

import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import type { Form } from "../../api.ts";
import { t } from "../../i18n.ts";
import { isPreview, slug, useAgents } from "../agents.ts";
import { Copy, Panel } from "../../ui/controls.tsx";
import { WebPages } from "./web.tsx";

const LANGUAGES = { curl: "curl", python: "Python", typescript: "TypeScript" } as const;

function snippets(
  url: string,
  formId: string,
  namespace: string,
  isKnown: boolean,
): Record<keyof typeof LANGUAGES, string> {
  const create = `curl -s ${url}/v1/agent -H "X-Service-Key: $FORMWORK_KEY" -H 'Content-Type: application/json' \\
  -d '{"namespace": "${namespace}", "form_id": "${formId}"}'

`;
  return {
    curl: `${isKnown ? "" : create}FILE=$(curl -s ${url}/v1/files -H "X-Service-Key: $FORMWORK_KEY" -F files=@document.pdf | jq -r '.[0].id')

curl -s "${url}/v1/agent/${namespace}/workflow/delta?evidence=true" -H "X-Service-Key: $FORMWORK_KEY" \\
  -H 'Content-Type: application/json' -d "[[{\\"url\\": \\"$FILE\\"}]]"`,
    python: `import os, requests

url = "${url}"
headers = {"X-Service-Key": os.environ["FORMWORK_KEY"]}
${isKnown ? "" : `requests.post(f"{url}/v1/agent", headers=headers, json={"namespace": "${namespace}", "form_id": "${formId}"})\n`}
with open("document.pdf", "rb") as file:
    uploaded = requests.post(f"{url}/v1/files", headers=headers, files={"files": file}).json()
run = requests.post(
    f"{url}/v1/agent/${namespace}/workflow/delta",
    headers=headers,
    params={"evidence": "true"},
    json=[[{"url": str(uploaded[0]["id"])}]],
).json()
print(run["results"][0])`,
    typescript: `import { openAsBlob } from "node:fs";

const url = "${url}";
const headers = { "X-Service-Key": process.env.FORMWORK_KEY ?? "" };
const json = { ...headers, "Content-Type": "application/json" };
${
  isKnown
    ? ""
    : `await fetch(\`\${url}/v1/agent\`, {
  method: "POST", headers: json, body: JSON.stringify({ namespace: "${namespace}", form_id: "${formId}" }),
});\n`
}
const body = new FormData();
body.append("files", await openAsBlob("document.pdf"), "document.pdf");
const [file] = await (await fetch(\`\${url}/v1/files\`, { method: "POST", headers, body })).json();
const run = await (await fetch(\`\${url}/v1/agent/${namespace}/workflow/delta?evidence=true\`, {
  method: "POST", headers: json, body: JSON.stringify([[{ url: String(file.id) }]]),
})).json();
console.log(run.results[0]);`,
  };
}

export function Usage({ form, isOpen, onClose }: { form: Form; isOpen: boolean; onClose: () => void }) {
  const agents = useAgents();
  const [shown, setShown] = useState<string>("curl");
  const own = (agents.data?.agents ?? []).filter(
    (known) => known.form_id === form.form_id && !isPreview(known.namespace),
  );
  const agent = own[0];
  const texts = snippets(
    window.location.origin,
    form.form_id,
    agent?.namespace ?? slug(form.title),
    agent !== undefined,
  );
  return (
    <Panel title={t("usage.title")} isOpen={isOpen} onClose={onClose} wide>
      <p>{t(shown === "web" ? "usage.web" : "usage.text")}</p>
      <Tabs className="tabs" selectedKey={shown} onSelectionChange={(key) => setShown(String(key))}>
        <TabList aria-label={t("usage.title")} className="tab-list">
          {Object.entries(LANGUAGES).map(([id, label]) => (
            <Tab id={id} key={id} className="tab">
              {label}
            </Tab>
          ))}
          <Tab id="web" className="tab">
            {t("web.title")}
          </Tab>
        </TabList>
        {Object.keys(LANGUAGES).map((id) => (
          <TabPanel id={id} key={id} className="tab-panel">
            <pre className="code" tabIndex={0}>
              <code>{texts[id as keyof typeof LANGUAGES]}</code>
            </pre>
            <div className="actions">
              <Copy text={texts[id as keyof typeof LANGUAGES]} />
            </div>
          </TabPanel>
        ))}
        <TabPanel id="web" className="tab-panel">
          {agents.data ? <WebPages form={form} agents={own} /> : null}
        </TabPanel>
      </Tabs>
    </Panel>
  );
}
