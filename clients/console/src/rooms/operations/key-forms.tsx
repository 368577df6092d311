/** What is asked for a new key, a changed one and a replaced one. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, data } from "../../api.ts";
import { t } from "../../i18n.ts";
import { Button, Checkbox, Select, TextField } from "../../ui/controls.tsx";
import { Refused, tell } from "../../ui/notices.tsx";
import { type Conditions, Filter, filterOf } from "../knowledge/filter.tsx";
import type { ApiKey } from "./records.ts";
import { areLimitsWrong, LimitFields, limitsOf, type Typed, typed } from "./limits.tsx";

const SCOPES = ["read", "write", "admin"] as const;
type Scope = (typeof SCOPES)[number];
const DAYS = ["never", "7", "30", "90", "365"] as const;
const GRACES = ["0", "3600", "86400", "604800"] as const;

type Issued = (key: { name: string; secret: string }) => void;

interface NewKeyProps {
  onClose: () => void;
  onIssued: Issued;
}

function inDays(days: string): string | null {
  return days === "never" ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

export function NewKey({ onClose, onIssued }: NewKeyProps) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const [member, setMember] = useState("");
  const [days, setDays] = useState<string>("90");
  const [limits, setLimits] = useState<Typed>({});
  const [bases, setBases] = useState<string[]>([]);
  const [conditions, setConditions] = useState<Conditions>({ rows: [], isAny: false });
  const members = useQuery({
    queryKey: ["members", "all"],
    queryFn: ({ signal }) => data(api.GET("/v1/members", { params: { query: { limit: 100 } }, signal })),
  });
  const issue = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/keys", {
          body: {
            name: name.trim(),
            scope,
            expires: inDays(days),
            limits: limitsOf(limits),
            ...(member ? { member_id: member } : {}),
            ...(bases.length > 0 ? { bases, filter: filterOf(conditions) ?? null } : {}),
          } as never,
        }),
      ),
    // The secret stays nowhere but in the panel that shows it.
    gcTime: 0,
    onSuccess: (key) => onIssued(key),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) issue.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t("kb.name")}
        value={name}
        onChange={setName}
        autoFocus
        hint={t("ops.key_name_hint")}
      />
      <Select
        label={t("ops.scope")}
        value={scope}
        onChange={(id) => setScope(id as Scope)}
        options={SCOPES.map((id) => ({ id, label: t(`ops.scope.${id}`), hint: t(`ops.scope_hint.${id}`) }))}
      />
      <Select
        label={t("ops.acts_as")}
        value={member}
        onChange={setMember}
        options={[
          { id: "", label: t("ops.yourself") },
          ...(members.data?.members ?? []).map((known) => ({
            id: known.id,
            label: known.userName,
            hint: known.userEmail,
          })),
        ]}
      />
      <Select
        label={t("ops.valid_for")}
        value={days}
        onChange={setDays}
        options={DAYS.map((id) => ({
          id,
          label: id === "never" ? t("ops.for_ever") : t("ops.days", { count: Number(id) }),
        }))}
      />
      <LimitFields value={limits} onChange={setLimits} />
      <BaseChoice value={bases} onChange={setBases} />
      {bases.length > 0 ? <Filter value={conditions} onChange={setConditions} /> : null}
      <p className="hint">{t("ops.public_hint")}</p>
      <Refused error={issue.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button
          kind="main"
          type="submit"
          isDisabled={!name.trim() || areLimitsWrong(limits)}
          isBusy={issue.isPending}
        >
          {t("ops.issue")}
        </Button>
      </div>
    </form>
  );
}

/** The knowledge bases that a key is restricted to. */
function BaseChoice({ value, onChange }: { value: string[]; onChange: (bases: string[]) => void }) {
  const asked = useQuery({
    queryKey: ["operations", "bases"],
    queryFn: ({ signal }) =>
      data(api.GET("/v1/knowledgebases", { params: { query: { limit: 100 } }, signal })),
  });
  return (
    <details>
      <summary>{t("ops.bases_only")}</summary>
      <p className="hint">{t("ops.bases_only_hint")}</p>
      {(asked.data?.knowledgebases ?? []).map((base) => (
        <Checkbox
          key={base.knowledgeId}
          isSelected={value.includes(base.knowledgeId)}
          onChange={(isOn) =>
            onChange(isOn ? [...value, base.knowledgeId] : value.filter((id) => id !== base.knowledgeId))
          }
        >
          <bdi>{base.name}</bdi>
        </Checkbox>
      ))}
    </details>
  );
}

interface ChangeKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
  onChanged: () => void;
}

export function ChangeKey({ apiKey, onClose, onChanged }: ChangeKeyProps) {
  const [name, setName] = useState(apiKey.name);
  const [limits, setLimits] = useState<Typed>(() => typed(apiKey.limits));
  const [days, setDays] = useState<string>("");
  const [bases, setBases] = useState(apiKey.bases ?? []);
  const save = useMutation({
    mutationFn: () =>
      data(
        api.PUT("/v1/keys/{key_id}", {
          params: { path: { key_id: apiKey.id } },
          body: {
            name: name.trim(),
            limits: limitsOf(limits),
            ...(days ? { expires: inDays(days) } : {}),
            ...(bases.join() === (apiKey.bases ?? []).join() ? {} : { bases }),
          } as never,
        }),
      ),
    onSuccess: () => {
      tell(t("kb.saved"));
      onChanged();
      onClose();
    },
  });
  return (
    <div className="stack">
      <TextField label={t("kb.name")} value={name} onChange={setName} />
      <Select
        label={t("ops.valid_for")}
        value={days}
        onChange={setDays}
        options={[
          { id: "", label: t("ops.unchanged") },
          ...DAYS.map((id) => ({
            id,
            label: id === "never" ? t("ops.for_ever") : t("ops.days", { count: Number(id) }),
          })),
        ]}
      />
      <LimitFields value={limits} onChange={setLimits} />
      {apiKey.bases && apiKey.bases.length > 0 ? <BaseChoice value={bases} onChange={setBases} /> : null}
      <Refused error={save.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button
          kind="main"
          isDisabled={!name.trim() || areLimitsWrong(limits)}
          isBusy={save.isPending}
          onPress={() => save.mutate()}
        >
          {t("save")}
        </Button>
      </div>
    </div>
  );
}

interface RotateKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
  onIssued: Issued;
}

export function RotateKey({ apiKey, onClose, onIssued }: RotateKeyProps) {
  const [grace, setGrace] = useState<string>("86400");
  const rotate = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/keys/{key_id}/rotate", {
          params: { path: { key_id: apiKey.id } },
          body: { grace_seconds: Number(grace) },
        }),
      ),
    gcTime: 0,
    onSuccess: (key) => onIssued(key),
  });
  return (
    <div className="stack">
      <p>{t("ops.rotate_text")}</p>
      <Select
        label={t("ops.grace")}
        value={grace}
        onChange={setGrace}
        options={GRACES.map((id) => ({ id, label: t(`ops.grace.${id as "0"}`) }))}
      />
      <Refused error={rotate.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" isBusy={rotate.isPending} onPress={() => rotate.mutate()}>
          {t("ops.rotate")}
        </Button>
      </div>
    </div>
  );
}
