/** Decisions about values, with a way back. */

import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, data, Failure, type Review, type ReviewDetails } from "../../api.ts";
import { t } from "../../i18n.ts";
import { words as placeWords } from "../../pointer.ts";
import { tell, tellError } from "../../ui/notices.tsx";

export interface Decision {
  action: "accept" | "correct" | "not_stated" | "reopen";
  value?: unknown;
  evidence?: { document?: string; page?: number; quote: string };
}

export function useDecide(namespace: string, sid: number, onDecided: () => void) {
  const client = useQueryClient();
  const apply = useCallback(
    async (review: Review, decision: Decision): Promise<ReviewDetails | undefined> => {
      const body = { decisions: [{ review_id: review.id, revision: review.revision, ...decision }] };
      const { reviews } = await data(api.POST("/v1/reviews/decisions", { body: body as never }));
      const changed = reviews[0];
      client.setQueryData(["reviews", namespace, sid], (known: Review[] | undefined) =>
        known?.map((other) => (other.id === changed?.id ? { ...other, ...changed } : other)),
      );
      void client.invalidateQueries({ queryKey: ["review", review.id] });
      void client.invalidateQueries({ queryKey: ["queue"] });
      onDecided();
      return changed;
    },
    [client, namespace, sid, onDecided],
  );
  return useCallback(
    async (review: Review, decision: Decision): Promise<boolean> => {
      try {
        const changed = await apply(review, decision);
        const text = t(`decided.${decision.action}`, { field: placeWords(review.path) });
        const undo = () => {
          if (changed) apply(changed, { action: "reopen" }).catch(tellError);
        };
        tell(text, decision.action === "reopen" ? undefined : undo);
        return true;
      } catch (error) {
        if (error instanceof Failure && error.code === "review_changed") {
          void client.invalidateQueries({ queryKey: ["reviews", namespace, sid] });
          void client.invalidateQueries({ queryKey: ["review", review.id] });
        }
        tellError(error);
        return false;
      }
    },
    [apply, client, namespace, sid],
  );
}
