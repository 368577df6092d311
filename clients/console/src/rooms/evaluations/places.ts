/** Forms and their evaluation, beside each other. */

import { t } from "../../i18n.ts";
import { href } from "../../router.ts";

export function formPlaces(current: "forms" | "evaluations") {
  return [
    { to: href("forms"), label: t("nav.forms"), isCurrent: current === "forms" },
    { to: href("forms", "evaluations"), label: t("eval.title"), isCurrent: current === "evaluations" },
  ];
}
