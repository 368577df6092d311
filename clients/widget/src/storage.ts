/** What is kept in the browser. Where storage is forbidden or full, nothing is. */

type Kind = "localStorage" | "sessionStorage";

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export class Stored {
  constructor(
    private readonly kind: Kind,
    private readonly name: string,
  ) {}

  get(): string | undefined {
    return attempt(() => window[this.kind].getItem(this.name)) ?? undefined;
  }

  set(value: string | undefined): void {
    attempt(() => {
      if (value) window[this.kind].setItem(this.name, value);
      else window[this.kind].removeItem(this.name);
    });
  }
}

/** The start of a key, which tells it from others. */
const PREFIX = 16;

/** The conversation of this browser, and what is written and not sent in this tab. */
export function stored(key: string): { session: Stored; draft: Stored } {
  const name = `formwork.${key.slice(0, PREFIX)}`;
  return { session: new Stored("localStorage", name), draft: new Stored("sessionStorage", `${name}.draft`) };
}
