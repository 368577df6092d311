/** Why a result stands where it stands, in words. */

import { t } from "../../i18n.ts";
import type { Found, Mode, Ranks } from "./ranking.ts";
import { fusion } from "./ranking.ts";

interface ScoresProps {
  mode: Mode;
  found: Found;
  /** The best score by words of the whole search. */
  best: number;
  ranks: Ranks;
}

export function Scores({ mode, found, best, ranks }: ScoresProps) {
  const { lexicalScore: words, semanticScore: meaning } = found;
  const parts = mode === "hybrid" ? fusion(found, best) : undefined;
  return (
    <div className="scores">
      {parts ? (
        <>
          <div className="fusion" aria-hidden="true">
            <i className="by-words" style={{ width: `${parts.words * 100}%` }} />
            <i className="by-meaning" style={{ width: `${parts.meaning * 100}%` }} />
          </div>
          <p>
            {t("kb.score.fused", {
              score: share(found.score),
              words: share(parts.words),
              meaning: share(parts.meaning),
            })}
          </p>
        </>
      ) : null}
      <ul>
        {mode === "semantic" ? null : (
          <li>
            {words === null
              ? t("kb.score.no_words")
              : t("kb.score.words", {
                  score: share(words),
                  how: t(`kb.match.${strength(words, 0.5, 0.2)}`),
                })}
          </li>
        )}
        {mode === "lexical" ? null : (
          <li>
            {meaning === null ? t("kb.score.no_meaning") : t("kb.score.meaning", { score: share(meaning) })}
          </li>
        )}
        {ranks.lexical !== undefined && mode !== "lexical" ? (
          <li>{t("kb.score.rank_words", { rank: ranks.lexical })}</li>
        ) : null}
        {ranks.semantic !== undefined && mode !== "semantic" ? (
          <li>{t("kb.score.rank_meaning", { rank: ranks.semantic })}</li>
        ) : null}
      </ul>
    </div>
  );
}

function share(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString(document.documentElement.lang, {
    minimumFractionDigits: 2,
  });
}

function strength(score: number, strong: number, some: number) {
  return score >= strong ? "strong" : score >= some ? "some" : "weak";
}
