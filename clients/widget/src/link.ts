/** The address that leads to a conversation: that of the page, with `#formwork=SESSION`. */

const PLACE = /[#&]formwork=([\w-]{1,100})$/;

export function linkTo(session: string): string {
  const url = new URL(window.location.href);
  url.hash = `formwork=${session}`;
  return url.href;
}

export function linkedSession(): string | undefined {
  return PLACE.exec(window.location.hash)?.[1];
}

/** Removes the conversation from the address, so that nobody passes it on with that of the page. */
export function clearLink(): void {
  const url = new URL(window.location.href);
  url.hash = url.hash.replace(PLACE, "");
  window.history.replaceState(window.history.state, "", url);
}
