/** What the caller may administer, and why not the rest. */

import { t } from "../../i18n.ts";
import { useMe } from "../../session.tsx";

export function useCanAdminister(): boolean {
  return useMe().key.scope === "admin";
}

/** Says why a part is empty for who does not administer. */
export function NotAdmin() {
  const me = useMe();
  return (
    <div className="empty">
      <h2>{t("ops.not_admin_title")}</h2>
      <p>{t(me.role === "owner" ? "ops.not_admin_owner" : "ops.not_admin_text")}</p>
      <p className="hint">
        {t("ops.you_are", {
          role: t(`role.${me.role as "owner" | "member" | "viewer"}`),
          scope: t(`ops.scope.${me.key.scope as "read"}`),
        })}
      </p>
    </div>
  );
}
