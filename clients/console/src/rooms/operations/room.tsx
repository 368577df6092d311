/** The state of the server and the administration of the workspace. */

import { t } from "../../i18n.ts";
import { href } from "../../router.ts";
import { Places } from "../../ui/places.tsx";
import { NotAdmin, useCanAdminister } from "./access.tsx";
import { Audit } from "./audit.tsx";
import { Keys } from "./keys.tsx";
import { Members } from "./members.tsx";
import { Queues } from "./queues.tsx";
import { Quotas } from "./quotas.tsx";
import { WebhookRoom, Webhooks } from "./webhooks.tsx";

const PARTS = ["queues", "webhooks", "keys", "members", "quotas", "audit"] as const;

export function OperationsRoom({ part, id }: { part?: string; id?: string }) {
  const canAdminister = useCanAdminister();
  const current = PARTS.find((name) => name === part) ?? "queues";
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.operations")}</h1>
        <Places
          label={t("ops.parts")}
          places={PARTS.map((name) => ({
            to: name === "queues" ? href("operations") : href("operations", name),
            label: t(`ops.part.${name}`),
            isCurrent: name === current,
          }))}
        />
      </header>
      <div className="scroll pad" tabIndex={0} role="region" aria-label={t(`ops.part.${current}`)}>
        {current === "queues" ? <Queues /> : null}
        {current === "webhooks" ? id ? <WebhookRoom key={id} id={id} /> : <Webhooks /> : null}
        {current === "keys" ? canAdminister ? <Keys /> : <NotAdmin /> : null}
        {current === "members" ? canAdminister ? <Members /> : <NotAdmin /> : null}
        {current === "quotas" ? <Quotas /> : null}
        {current === "audit" ? canAdminister ? <Audit /> : <NotAdmin /> : null}
      </div>
    </div>
  );
}
