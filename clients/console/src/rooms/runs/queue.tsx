/** What waits for a decision, by run: the least certain values first. */

import { useQuery } from "@tanstack/react-query";
import { api, data, type Review } from "../../api.ts";
import { Link } from "../../ui/link.tsx";
import { number, t } from "../../i18n.ts";
import { words as placeWords } from "../../pointer.ts";
import { href } from "../../router.ts";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import { Dot, level, words } from "./value.tsx";

/** Values of each run that are shown. */
const SHOWN = 5;
const MAX_PAGES = 5;

export function ReviewQueue() {
  const asked = useQuery({
    queryKey: ["queue"],
    queryFn: async () => {
      const all: Review[] = [];
      let cursor: string | undefined;
      let total = 0;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = {
          state: "open" as const,
          order: "confidence" as const,
          limit: 100,
          ...(cursor ? { cursor } : {}),
        };
        const answer = await data(api.GET("/v1/reviews", { params: { query } }));
        all.push(...answer.reviews);
        total = answer.meta.total_items;
        cursor = answer.meta.next_cursor || undefined;
        if (!cursor) break;
      }
      return { all, total };
    },
  });
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  const runs = grouped(asked.data.all, (review) => `${review.namespace}/${review.sid}`);
  return (
    <div className="room">
      <header className="head">
        <h1>{t("nav.review")}</h1>
        <span className="pill warn">{t("queue.open", { count: asked.data.total })}</span>
      </header>
      <div className="scroll pad">
        {runs.size === 0 ? <Empty title={t("queue.empty_title")} text={t("queue.empty_text")} /> : null}
        {[...runs].map(([key, reviews]) => (
          <Queued key={key} reviews={reviews} />
        ))}
        {asked.data.total > asked.data.all.length ? (
          <p className="hint">{t("queue.more", { count: asked.data.all.length })}</p>
        ) : null}
      </div>
    </div>
  );
}

function Queued({ reviews }: { reviews: Review[] }) {
  const { namespace, sid } = reviews[0] as Review;
  const to = `${href("runs", namespace, sid)}?show=review`;
  return (
    <section className="card">
      <h2>
        <Link to={to}>
          {t("runs.run", { sid: String(sid) })} · {namespace}
        </Link>{" "}
        <span className="pill warn">{number(reviews.length)}</span>
      </h2>
      <ul className="leaves">
        {reviews.slice(0, SHOWN).map((review) => (
          <li key={review.id} className="queued">
            <Dot level={level(review.value, { confidence: review.confidence }, review)} />
            <span className="leaf-name">{review.path ? placeWords(review.path) : t("group.failed")}</span>
            <bdi className={review.value == null ? "absent" : ""}>
              {review.path ? words(review.value) : ""}
            </bdi>
            <span className="gap" />
            {review.reasons.map((reason) => (
              <span className={reason === "low_confidence" ? "pill" : "pill red"} key={reason}>
                {t(`reason.${reason}`)}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function grouped(reviews: Review[], key: (review: Review) => string): Map<string, Review[]> {
  const groups = new Map<string, Review[]>();
  for (const review of reviews) groups.set(key(review), [...(groups.get(key(review)) ?? []), review]);
  return groups;
}
