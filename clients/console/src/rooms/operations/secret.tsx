/** A secret that is shown once. */

import { t } from "../../i18n.ts";
import { Button, Copy, Panel } from "../../ui/controls.tsx";

export interface Secret {
  title: string;
  text: string;
  secret: string;
}

export function SecretPanel({ shown, onClose }: { shown: Secret | undefined; onClose: () => void }) {
  return (
    <Panel title={shown?.title ?? ""} isOpen={shown !== undefined} onClose={onClose} fixed>
      <div className="stack">
        <p>{shown?.text}</p>
        <div className="line-up">
          <code className="code grow" data-testid="secret">
            {shown?.secret}
          </code>
          <Copy text={shown?.secret ?? ""} />
        </div>
        <p className="hint">{t("ops.secret_hint")}</p>
        <div className="actions">
          <Button kind="main" onPress={onClose}>
            {t("ops.secret_kept")}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
