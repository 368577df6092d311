/** The members of the workspace with their roles. */

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { useMe } from "../../session.tsx";
import { ConfirmName } from "../../ui/confirm-name.tsx";
import { Button, Menu, Panel, Select, TextField } from "../../ui/controls.tsx";
import { explain, Loading, Refused, tell, tellError, Wrong } from "../../ui/notices.tsx";
import type { Member } from "./records.ts";

const ROLES = ["owner", "member", "viewer"] as const;
type Role = (typeof ROLES)[number];

export function Members() {
  const client = useQueryClient();
  const me = useMe();
  const [isNew, setNew] = useState(false);
  const [changed, setChanged] = useState<Member>();
  const [locked, setLocked] = useState<Member>();
  const [doomed, setDoomed] = useState<Member>();
  const asked = useInfiniteQuery({
    queryKey: ["members"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) };
      return data(api.GET("/v1/members", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
  const members = asked.data?.pages.flatMap((page) => page.members);
  const renew = () => void client.invalidateQueries({ queryKey: ["members"] });
  const remove = async (member: Member) => {
    try {
      await data(api.DELETE("/v1/members/{member_id}", { params: { path: { member_id: member.id } } }));
      tell(t("ops.member_removed", { name: member.userName }));
    } catch (error) {
      tellError(error);
    }
    renew();
  };
  const act = (member: Member, action: string) => {
    if (action === "change") setChanged(member);
    else if (action === "password") setLocked(member);
    else setDoomed(member);
  };
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!members) return <Loading />;
  return (
    <>
      <div className="line-up spaced">
        <p className="hint">{t("ops.members_text")}</p>
        <span className="gap" />
        <Button kind="main" onPress={() => setNew(true)}>
          {t("ops.new_member")}
        </Button>
      </div>
      <div className="card flush">
        <table className="plain">
          <thead>
            <tr>
              <th>{t("kb.name")}</th>
              <th className="wide-only">{t("sign_in.email")}</th>
              <th>{t("ops.role")}</th>
              <th className="wide-only">{t("kb.added")}</th>
              <th>
                <span className="unseen">{t("kb.actions")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <tr key={member.id}>
                <td>
                  <bdi>{member.userName}</bdi>
                  {member.userEmail === me.userEmail ? (
                    <span className="pill vio">{t("ops.you")}</span>
                  ) : null}
                </td>
                <td className="wide-only">
                  <bdi>{member.userEmail}</bdi>
                </td>
                <td>{t(`role.${member.role as Role}`)}</td>
                <td className="wide-only">{time(member.created_timestamp)}</td>
                <td className="end">
                  <Menu
                    kind="small"
                    label={t("ops.more")}
                    name={t("ops.key_actions", { name: member.userName })}
                    onAction={(action) => act(member, action)}
                    items={[
                      { id: "change", label: t("ops.change") },
                      { id: "password", label: t("ops.set_password") },
                      { id: "remove", label: t("remove") },
                    ]}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
      <Panel title={t("ops.new_member")} isOpen={isNew} onClose={() => setNew(false)}>
        {isNew ? <MemberForm onClose={() => setNew(false)} onSaved={renew} /> : null}
      </Panel>
      <Panel
        title={t("ops.change_member", { name: changed?.userName ?? "" })}
        isOpen={changed !== undefined}
        onClose={() => setChanged(undefined)}
      >
        {changed ? (
          <MemberForm member={changed} onClose={() => setChanged(undefined)} onSaved={renew} />
        ) : null}
      </Panel>
      <Panel
        title={t("ops.password_of", { name: locked?.userName ?? "" })}
        isOpen={locked !== undefined}
        onClose={() => setLocked(undefined)}
      >
        {locked ? <PasswordForm member={locked} onClose={() => setLocked(undefined)} /> : null}
      </Panel>
      <ConfirmName
        title={t("ops.remove_member")}
        text={t("ops.remove_member_text")}
        name={doomed?.userName ?? ""}
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed && void remove(doomed)}
      />
    </>
  );
}

interface MemberFormProps {
  /** Who is changed; a new member when absent. */
  member?: Member;
  onClose: () => void;
  onSaved: () => void;
}

function MemberForm({ member, onClose, onSaved }: MemberFormProps) {
  const [name, setName] = useState(member?.userName ?? "");
  const [email, setEmail] = useState(member?.userEmail ?? "");
  const [role, setRole] = useState<Role>((member?.role as Role | undefined) ?? "member");
  const save = useMutation({
    mutationFn: () =>
      member
        ? data(
            api.PUT("/v1/members/{member_id}", {
              params: { path: { member_id: member.id } },
              body: { name: name.trim(), role },
            }),
          )
        : data(api.POST("/v1/members", { body: { name: name.trim(), email: email.trim(), role } })),
    onSuccess: (saved) => {
      tell(member ? t("kb.saved") : t("ops.member_added", { name: saved.userName }));
      onSaved();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label={t("kb.name")} value={name} onChange={setName} autoFocus />
      {member ? null : (
        <TextField label={t("sign_in.email")} type="email" value={email} onChange={setEmail} />
      )}
      <Select
        label={t("ops.role")}
        value={role}
        onChange={(id) => setRole(id as Role)}
        options={ROLES.map((id) => ({ id, label: t(`role.${id}`), hint: t(`ops.role_hint.${id}`) }))}
      />
      <Refused error={save.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button
          kind="main"
          type="submit"
          isDisabled={!name.trim() || (!member && !email.trim())}
          isBusy={save.isPending}
        >
          {member ? t("save") : t("ops.add_member")}
        </Button>
      </div>
    </form>
  );
}

function PasswordForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const save = useMutation({
    mutationFn: (next: string | null) =>
      data(
        api.PUT("/v1/members/{member_id}/password", {
          params: { path: { member_id: member.id } },
          body: { password: next },
        }),
      ),
    gcTime: 0,
    onSuccess: () => {
      tell(t("ops.password_set", { name: member.userName }));
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(password);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t("sign_in.password")}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        hint={t("ops.password_hint")}
        error={save.isError ? explain(save.error) : ""}
        autoFocus
      />
      <div className="actions">
        <Button kind="quiet" isBusy={save.isPending} onPress={() => save.mutate(null)}>
          {t("ops.forget_password")}
        </Button>
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" type="submit" isDisabled={password.length < 12} isBusy={save.isPending}>
          {t("ops.set_password")}
        </Button>
      </div>
    </form>
  );
}
