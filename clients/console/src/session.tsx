/** Who is signed in. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect } from "react";
import { Failure, type Me, api, data, key, onEnd, send, setKey } from "./api.ts";

const Context = createContext<Me | null>(null);
/** Tells the other tabs that a session began or ended. */
const tabs = new BroadcastChannel("formwork.session");

export interface Session {
  me: Me | null | undefined;
  error: Failure | null;
}

/** The caller; null when nobody is signed in. */
export function useSession(): Session {
  const client = useQueryClient();
  const asked = useQuery({
    queryKey: ["me"],
    queryFn: async () => {
      try {
        return await data(api.GET("/v1/me"));
      } catch (error) {
        if (error instanceof Failure && error.status === 401) return null;
        throw error;
      }
    },
    retry: (count, error) =>
      count < 20 && error instanceof Failure && (error.status === 0 || error.status === 503),
    retryDelay: 1500,
    staleTime: Infinity,
  });
  useEffect(() => {
    const off = onEnd(() => client.setQueryData(["me"], null));
    const renew = (event: MessageEvent<string>) => {
      // What is on the page stays where a session begins, and goes where it was ended.
      if (event.data === "ended") window.location.reload();
      else void client.invalidateQueries();
    };
    tabs.addEventListener("message", renew);
    return () => {
      off();
      tabs.removeEventListener("message", renew);
    };
  }, [client]);
  return { me: asked.data, error: asked.error as Failure | null };
}

export async function signIn(body: { email: string; password: string; workspace?: string }): Promise<void> {
  setKey(null);
  await data(api.POST("/v1/sign_in", { body: { ...body, cookie: true } as never }));
  tabs.postMessage("begun");
}

export async function enterKey(next: string): Promise<void> {
  setKey(next);
  try {
    await send("/v1/me");
  } catch (error) {
    setKey(null);
    throw error;
  }
}

export async function signOut(): Promise<void> {
  if (key() !== null) setKey(null);
  else {
    await send("/v1/sign_in", { method: "DELETE" }).catch(() => undefined);
    tabs.postMessage("ended");
  }
}

export function Signed({ me, children }: { me: Me; children: ReactNode }) {
  return <Context value={me}>{children}</Context>;
}

export function useMe(): Me {
  const me = useContext(Context);
  if (me === null) throw new Error("nobody is signed in");
  return me;
}

/** Whether the caller may change something. */
export function useCanWrite(): boolean {
  return useMe().key.scope !== "read";
}
