/** The limits that a key can have, by their names in the interface. */

export const LIMITS = [
  "requests_per_minute",
  "requests_per_day",
  "tokens_per_minute",
  "tokens_per_day",
  "cost_per_minute",
  "cost_per_day",
] as const;
