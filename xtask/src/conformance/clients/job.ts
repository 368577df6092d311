// What the jobs in TypeScript have in common.

export const url = process.env.FORMWORK_URL!;
export const key = process.env.FORMWORK_KEY!;
export const document = new File([process.env.FORMWORK_DOCUMENT!], "invoice.txt", {
  type: "text/plain",
});

/** Checks the only record of a run, and whether the form is listed. */
export function check(results: { [name: string]: unknown }[], listed: boolean): void {
  const [record] = results;
  const expected = { vendor: "Harbour Works", total: 12.5, issued: "2026-03-14" };
  for (const [name, value] of Object.entries(expected)) {
    if (record?.[name] !== value) throw new Error(JSON.stringify(results));
  }
  if (!listed) throw new Error("the form is not listed");
}
