/** Files that the server makes. */

import { send } from "../api.ts";
import { tellError } from "./notices.tsx";

/** Fetches a file, and has the browser keep it under a name. What fails is told. */
export async function download(address: string, name: string): Promise<void> {
  try {
    const content = await (await send(address)).blob();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    tellError(error);
  }
}
