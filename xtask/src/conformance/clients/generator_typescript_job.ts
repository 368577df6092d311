// The main job with the client of openapi-generator's generator `typescript-fetch`.

import {
  AgentsApi,
  Configuration,
  FilesApi,
  FormsApi,
  type FieldDefinition,
} from "./generator_typescript/index";
import { check, document, key, url } from "./job";

const configuration = new Configuration({ basePath: url, apiKey: key });
const forms = new FormsApi(configuration);
const files = new FilesApi(configuration);
const agents = new AgentsApi(configuration);

async function main(): Promise<void> {
  const schema: Record<string, FieldDefinition> = {
    vendor: { type: "string", description: "Company that issued the invoice", required: true },
    total: { type: "number", minimum: 0 },
    currency: { type: "string", _enum: new Set(["EUR", "GBP"]) },
    issued: { type: "date" },
    paid: { type: "boolean" },
    lines: { type: "array", items: { type: "object", properties: { article: { type: "string" } } } },
  };
  const form = await forms.createForm({ createForm: { title: "Invoice", schema } });
  const [file] = await files.uploadFiles({ files: [document] });
  const agent = await agents.createAgent({
    createAgent: { namespace: "typescript-fetch", formId: form.formId },
  });
  const run = await agents.runDelta({
    namespace: agent.namespace,
    deltaBody: { files: [[{ url: file.id }]] },
  });
  const listed = await forms.listForms();
  check(run.results, listed.forms.some((item) => item.formId === form.formId));
}

main();
