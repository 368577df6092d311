// The main job with the types of openapi-typescript, through openapi-fetch.

import createClient from "openapi-fetch";
import type { components, paths } from "./schema";
import { check, document, key, url } from "./job";

const client = createClient<paths>({ baseUrl: url, headers: { "X-Service-Key": key } });

function answered<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

async function main(): Promise<void> {
  const schema: components["schemas"]["FormFields"] = {
    vendor: { type: "string", description: "Company that issued the invoice", required: true },
    total: { type: "number", minimum: 0 },
    currency: { type: "string", enum: ["EUR", "GBP"] },
    issued: { type: "date" },
    paid: { type: "boolean" },
    lines: { type: "array", items: { type: "object", properties: { article: { type: "string" } } } },
  };
  const form = answered(await client.POST("/v1/form", { body: { title: "Invoice", schema } }));
  const upload = new FormData();
  upload.append("files", document, "invoice.txt");
  const [file] = answered(
    await client.POST("/v1/files", { body: { files: [] }, bodySerializer: () => upload }),
  );
  const agent = answered(
    await client.POST("/v1/agent", {
      body: { namespace: "openapi-typescript", form_id: form.form_id },
    }),
  );
  const run = answered(
    await client.POST("/v1/agent/{namespace}/workflow/delta", {
      params: { path: { namespace: agent.namespace } },
      body: { files: [[{ url: file.id }]] },
    }),
  );
  if (!("results" in run)) throw new Error("the run was not awaited");
  const listed = answered(await client.GET("/v1/form"));
  check(run.results, listed.forms.some((item) => item.form_id === form.form_id));
}

main();
