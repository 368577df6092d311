/** Sign-in by password, by the OpenID provider, or with a key. */

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data, Failure, type Me, send } from "../../api.ts";
import { t } from "../../i18n.ts";
import { href, usePlace } from "../../router.ts";
import { enterKey, signIn } from "../../session.tsx";
import { Button, Panel, TextField } from "../../ui/controls.tsx";
import { explain } from "../../ui/notices.tsx";

export function SignIn({ expired }: { expired?: Me }) {
  if (expired) {
    return (
      <Panel title={t("sign_in.expired")} isOpen fixed onClose={() => undefined}>
        <p>{t("sign_in.expired_text")}</p>
        <Ways before={expired} />
      </Panel>
    );
  }
  return (
    <main className="gate">
      <div className="card">
        <h1>▣ Formwork</h1>
        <p>{t("sign_in.welcome")}</p>
        <Ways />
      </div>
    </main>
  );
}

/** Goes on as the same person with what is on the page; as another one from the start. */
async function begun(client: QueryClient, before: Me | undefined): Promise<void> {
  if (!before) return client.resetQueries();
  const me = await data(api.GET("/v1/me"));
  if (me.userEmail !== before.userEmail || me.workspace !== before.workspace) window.location.assign(href());
  else await client.invalidateQueries();
}

function Ways({ before }: { before?: Me }) {
  const client = useQueryClient();
  const place = usePlace();
  const [way, setWay] = useState<"password" | "key">("password");
  const [error, setError] = useState(
    place.query.has("failure")
      ? t("sign_in.provider_failed", { code: place.query.get("failure") ?? "" })
      : "",
  );
  const [isBusy, setBusy] = useState(false);
  const home = useQuery({
    queryKey: ["home"],
    queryFn: async (): Promise<{ sign_in?: string[] }> =>
      (await send("/", { headers: { Accept: "application/json" } })).json(),
    staleTime: Infinity,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    const workspace = given.workspace ? { workspace: given.workspace } : {};
    const work =
      way === "key"
        ? enterKey((given.key ?? "").trim())
        : signIn({ email: given.email ?? "", password: given.password ?? "", ...workspace });
    work
      .then(() => begun(client, before))
      .catch((failure: unknown) => setError(refusal(failure)))
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit} className="stack">
      {way === "password" ? (
        <>
          <TextField
            key="email"
            label={t("sign_in.email")}
            name="email"
            type="email"
            autoComplete="username"
            isRequired
            autoFocus
          />
          <TextField
            key="password"
            label={t("sign_in.password")}
            name="password"
            type="password"
            autoComplete="current-password"
            isRequired
          />
        </>
      ) : (
        <TextField
          key="key"
          label={t("sign_in.key")}
          name="key"
          type="password"
          autoComplete="off"
          isRequired
          autoFocus
          hint={t("sign_in.key_hint")}
        />
      )}
      {error ? (
        <p className="wrong" role="alert">
          {error}
        </p>
      ) : null}
      <Button kind="main" type="submit" isDisabled={isBusy}>
        {isBusy ? t("sign_in.busy") : t("sign_in.submit")}
      </Button>
      {home.data?.sign_in?.includes("oidc") ? (
        <a className="btn" href="/v1/sign_in/oidc?console=true">
          {t("sign_in.oidc")}
        </a>
      ) : null}
      <Button
        kind="quiet"
        onPress={() => {
          setWay(way === "key" ? "password" : "key");
          setError("");
        }}
      >
        {way === "key" ? t("sign_in.with_password") : t("sign_in.with_key")}
      </Button>
      {place.query.has("failure") ? <a href={href()}>{t("sign_in.again")}</a> : null}
    </form>
  );
}

function refusal(failure: unknown): string {
  if (failure instanceof Failure && failure.status === 401) return t("sign_in.refused");
  return explain(failure);
}
