// The introduction of the reference: the requests of the main job, in order.

export const STEPS = [
  {
    operation: "create_form",
    text: "1. A form has typed fields.",
    body: {
      title: "Invoice",
      schema: {
        vendor: { type: "string", order: 1, description: "Company that issued the document" },
        invoice_number: { type: "string", order: 2 },
        due_date: { type: "date", order: 3 },
        total: { type: "number", order: 4 },
      },
    },
  },
  {
    operation: "create_agent",
    text: "2. An agent has the form; use the form_id of the first answer.",
    body: { namespace: "invoices", form_id: "form_…" },
  },
  { operation: "upload_files", text: "3. Documents are uploaded; the answer has their ids." },
  {
    operation: "run_delta",
    text: "4. The agent reads groups of documents: each group is a list, and gives one record.",
    path: { namespace: "invoices" },
    query: "?evidence=true",
    body: [[{ description: "", url: "1" }]],
  },
];
