/** The API keys of the workspace: issued, changed, replaced, revoked. */

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { useMe } from "../../session.tsx";
import { Button, Checkbox, Confirm, Menu, Panel } from "../../ui/controls.tsx";
import { Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { ChangeKey, NewKey, RotateKey } from "./key-forms.tsx";
import { limitWords } from "./limits.tsx";
import type { ApiKey } from "./records.ts";
import { type Secret, SecretPanel } from "./secret.tsx";

const TONE: Record<string, string> = { valid: "pill ok", expired: "pill", revoked: "pill red" };

export function Keys() {
  const client = useQueryClient();
  const me = useMe();
  const [isNew, setNew] = useState(false);
  const [changed, setChanged] = useState<ApiKey>();
  const [rotated, setRotated] = useState<ApiKey>();
  const [doomed, setDoomed] = useState<ApiKey>();
  const [secret, setSecret] = useState<Secret>();
  const [withOld, setWithOld] = useState(false);
  const asked = useInfiniteQuery({
    queryKey: ["keys"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) };
      return data(api.GET("/v1/keys", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
  const keys = asked.data?.pages.flatMap((page) => page.keys);
  const listed = keys?.filter((key) => withOld || key.state === "valid");
  const renew = () => void client.invalidateQueries({ queryKey: ["keys"] });
  const issued = (key: { name: string; secret: string }) => {
    renew();
    setNew(false);
    setRotated(undefined);
    setSecret({
      title: t("ops.secret_title", { name: key.name }),
      text: t("ops.secret_text"),
      secret: key.secret,
    });
  };
  const revoke = async (key: ApiKey) => {
    try {
      await data(api.DELETE("/v1/keys/{key_id}", { params: { path: { key_id: key.id } } }));
      tell(t("ops.revoked", { name: key.name }));
    } catch (error) {
      tellError(error);
    }
    renew();
  };
  const act = (key: ApiKey, action: string) => {
    if (action === "change") setChanged(key);
    else if (action === "rotate") setRotated(key);
    else setDoomed(key);
  };
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!listed) return <Loading />;
  return (
    <>
      <div className="line-up spaced">
        <p className="hint">{t("ops.keys_text")}</p>
        <span className="gap" />
        <Checkbox isSelected={withOld} onChange={setWithOld}>
          {t("ops.old_keys")}
        </Checkbox>
        <Button kind="main" onPress={() => setNew(true)}>
          {t("ops.new_key")}
        </Button>
      </div>
      <div className="card flush">
        <table className="plain">
          <thead>
            <tr>
              <th>{t("kb.name")}</th>
              <th>{t("ops.scope")}</th>
              <th className="wide-only">{t("ops.member")}</th>
              <th className="wide-only">{t("ops.limits")}</th>
              <th className="wide-only">{t("ops.expires")}</th>
              <th className="wide-only">{t("ops.last_used")}</th>
              <th>
                <span className="unseen">{t("kb.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map((key) => (
              <tr key={key.id}>
                <td>
                  <bdi>{key.kind === "sign_in" ? t("ops.a_sign_in") : key.name}</bdi>
                  {key.prefix === me.key.prefix ? <span className="pill vio">{t("ops.yours")}</span> : null}
                  {key.agent ? <span className="pill warn">{t("ops.public")}</span> : null}
                  {key.state === "valid" ? null : (
                    <span className={TONE[key.state] ?? "pill"}>
                      {t(`ops.key.${key.state as "expired"}`)}
                    </span>
                  )}
                  <p className="hint">
                    <code>{key.prefix}…</code>
                  </p>
                </td>
                <td>
                  {key.agent
                    ? t("ops.public_scope", { agent: key.agent })
                    : t(`ops.scope.${key.scope as "read"}`)}
                </td>
                <td className="wide-only">
                  <bdi>{key.member.userName}</bdi>
                </td>
                <td className="wide-only">
                  {[
                    ...limitWords(key.limits),
                    ...(key.origins ?? []),
                    ...(key.page ? [`/f/${key.page}`] : []),
                    ...(key.filter ? [t("ops.filtered")] : []),
                    ...(key.bases?.length ? [t("ops.base_count", { count: key.bases.length })] : []),
                  ].map((words) => (
                    <p className="hint" key={words}>
                      {words}
                    </p>
                  ))}
                </td>
                <td className="wide-only">{key.expires ? time(key.expires) : t("ops.never")}</td>
                <td className="wide-only">{key.last_used ? time(key.last_used) : t("ops.unused")}</td>
                <td className="end">
                  {key.state === "valid" ? (
                    <Menu
                      kind="small"
                      label={t("ops.more")}
                      name={t("ops.key_actions", { name: `${key.name} ${key.prefix}` })}
                      onAction={(action) => act(key, action)}
                      items={[
                        ...(key.kind === "sign_in"
                          ? []
                          : [
                              { id: "change", label: t("ops.change") },
                              { id: "rotate", label: t("ops.rotate"), hint: t("ops.rotate_hint") },
                            ]),
                        { id: "revoke", label: t("ops.revoke") },
                      ]}
                    />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      <Panel title={t("ops.new_key")} isOpen={isNew} onClose={() => setNew(false)}>
        {isNew ? <NewKey onClose={() => setNew(false)} onIssued={issued} /> : null}
      </Panel>
      <Panel
        title={t("ops.change_key", { name: changed?.name ?? "" })}
        isOpen={changed !== undefined}
        onClose={() => setChanged(undefined)}
      >
        {changed ? (
          <ChangeKey apiKey={changed} onClose={() => setChanged(undefined)} onChanged={renew} />
        ) : null}
      </Panel>
      <Panel
        title={t("ops.rotate_key", { name: rotated?.name ?? "" })}
        isOpen={rotated !== undefined}
        onClose={() => setRotated(undefined)}
      >
        {rotated ? (
          <RotateKey apiKey={rotated} onClose={() => setRotated(undefined)} onIssued={issued} />
        ) : null}
      </Panel>
      <SecretPanel shown={secret} onClose={() => setSecret(undefined)} />
      <Confirm
        title={t("ops.revoke_title")}
        text={t(doomed?.prefix === me.key.prefix ? "ops.revoke_own" : "ops.revoke_text", {
          name: doomed?.name ?? "",
        })}
        action={t("ops.revoke")}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && void revoke(doomed)}
      />
    </>
  );
}
