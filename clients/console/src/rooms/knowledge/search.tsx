/** The search of a knowledge base, tried by words, by meaning and by both beside each other. */

import { type FormEvent, useState } from "react";
import { t } from "../../i18n.ts";
import { isNoNumber, typedNumber } from "../../numbers.ts";
import { Button, Checkbox, Select, TextField } from "../../ui/controls.tsx";
import { Empty, Loading, Wrong } from "../../ui/notices.tsx";
import type { Base } from "./data.ts";
import { type Conditions, Filter, filterOf } from "./filter.tsx";
import { type Passage, SourcePane } from "./item.tsx";
import { type Found, type Mode, MODES, type Question, ranksOf, useResults } from "./ranking.ts";
import { Scores } from "./scores.tsx";

const LIMITS = ["5", "10", "20", "50", "100"];
/** Characters of a result that are shown in the list. */
const SHOWN = 420;

export function Search({ base }: { base: Base }) {
  const canCompare = base.servingModel !== null;
  const [modes, setModes] = useState<Mode[]>(canCompare ? [...MODES] : ["lexical"]);
  const [question, setQuestion] = useState<Question>();
  const [shown, setShown] = useState<{ mode: Mode; found: Found }>();
  const id = base.knowledgeId;
  const has = (mode: Mode) => modes.includes(mode);
  // The search by words also says what the words give to the order by both.
  const lexical = useResults(id, "lexical", question, has("lexical") || has("hybrid"));
  const semantic = useResults(id, "semantic", question, has("semantic"));
  const hybrid = useResults(id, "hybrid", question, has("hybrid"));
  const answers = { lexical, semantic, hybrid };
  const best = lexical.data?.results[0]?.lexicalScore ?? 0;
  const passage: Passage | undefined = shown && {
    item: shown.found.file,
    start: shown.found.start,
    end: shown.found.end,
    page: shown.found.page,
    label: shown.found.title,
  };
  return (
    <div className={passage ? "sought open" : "sought"}>
      <div className="seek">
        <SearchForm
          base={base}
          modes={modes}
          onModes={setModes}
          onAsk={(next) => {
            setQuestion(next);
            setShown(undefined);
          }}
        />
        {question === undefined ? (
          <Empty title={t("kb.search_title")} text={t("kb.search_text")} />
        ) : (
          <div className="columns">
            {MODES.filter(has).map((mode) => (
              <section key={mode} aria-label={t(`kb.mode.${mode}`)} className="column">
                <h2>{t(`kb.mode.${mode}`)}</h2>
                <Results
                  mode={mode}
                  answer={answers[mode]}
                  best={best}
                  lists={{ lexical: lexical.data?.results, semantic: semantic.data?.results }}
                  shown={shown?.mode === mode ? shown.found.id : undefined}
                  onShow={(found) => setShown({ mode, found })}
                />
              </section>
            ))}
          </div>
        )}
      </div>
      <SourcePane passage={passage} hint={t("kb.pick_result")} onBack={() => setShown(undefined)} />
    </div>
  );
}

interface ResultsProps {
  mode: Mode;
  answer: ReturnType<typeof useResults>;
  best: number;
  lists: { lexical?: Found[]; semantic?: Found[] };
  shown?: string;
  onShow: (found: Found) => void;
}

function Results({ mode, answer, best, lists, shown, onShow }: ResultsProps) {
  if (answer.isError) return <Wrong error={answer.error} retry={() => void answer.refetch()} />;
  if (!answer.data) return <Loading />;
  const { results, warnings } = answer.data;
  return (
    <>
      {(warnings ?? []).map((warning) => (
        <p className="box" key={warning.code}>
          {warning.message}
        </p>
      ))}
      <p className="hint" role="status">
        {t("kb.results", { count: results.length })}
      </p>
      <ol className="results">
        {results.map((found, index) => (
          <li key={found.id}>
            <button type="button" aria-pressed={found.id === shown} onClick={() => onShow(found)}>
              <span className="result-head">
                <b>
                  {index + 1}. <bdi>{found.title}</bdi>
                </b>
                {found.page ? <small>{t("detail.page", { page: found.page })}</small> : null}
              </span>
              {found.heading ? (
                <small>
                  <bdi>{found.heading.replaceAll("\n", " › ")}</bdi>
                </small>
              ) : null}
              <span className="result-text" dir="auto">
                {beginning(found.text)}
              </span>
            </button>
            <Scores
              mode={mode}
              found={found}
              best={best}
              ranks={ranksOf(found.id, lists.lexical, lists.semantic)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The first characters of a text, without empty lines. */
function beginning(text: string): string {
  const tight = text.slice(0, SHOWN * 2).replace(/\n\s*\n/g, "\n");
  return tight.length > SHOWN ? `${tight.slice(0, SHOWN)}…` : tight;
}

interface SearchFormProps {
  base: Base;
  modes: Mode[];
  onModes: (modes: Mode[]) => void;
  onAsk: (question: Question) => void;
}

function SearchForm({ base, modes, onModes, onAsk }: SearchFormProps) {
  const [query, setQuery] = useState("");
  const [limit, setLimit] = useState("10");
  const [minScore, setMinScore] = useState("");
  const [neighbours, setNeighbours] = useState("0");
  const [distinct, setDistinct] = useState(false);
  const [conditions, setConditions] = useState<Conditions>({ rows: [], isAny: false });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!query.trim() || isNoNumber(minScore)) return;
    const filter = filterOf(conditions);
    onAsk({
      query: query.trim(),
      limit: Number(limit),
      ...(minScore.trim() ? { minScore: typedNumber(minScore) } : {}),
      ...(Number(neighbours) > 0 ? { neighbours: Number(neighbours) } : {}),
      ...(distinct ? { distinct } : {}),
      ...(filter ? { filter } : {}),
    });
  };
  const toggle = (mode: Mode) =>
    onModes(
      modes.includes(mode)
        ? modes.filter((known) => known !== mode)
        : MODES.filter((known) => known === mode || modes.includes(known)),
    );
  return (
    <form className="seek-form stack" onSubmit={submit}>
      <div className="ask-line">
        <TextField
          label={t("kb.question")}
          value={query}
          onChange={setQuery}
          autoFocus
          placeholder={t("kb.question_example")}
        />
        <Button kind="main" type="submit" isDisabled={!query.trim() || modes.length === 0}>
          {t("kb.search")}
        </Button>
      </div>
      {base.servingModel ? (
        <div className="chips" role="group" aria-label={t("kb.modes")}>
          {MODES.map((mode) => (
            <button
              type="button"
              key={mode}
              className="chip"
              aria-pressed={modes.includes(mode)}
              onClick={() => toggle(mode)}
            >
              {t(`kb.mode.${mode}`)}
            </button>
          ))}
        </div>
      ) : (
        <p className="hint">{t("kb.words_only")}</p>
      )}
      <details>
        <summary>{t("kb.more_options")}</summary>
        <div className="stack">
          <div className="pair">
            <Select
              label={t("kb.limit")}
              value={limit}
              onChange={setLimit}
              options={LIMITS.map((id) => ({ id, label: id }))}
            />
            <TextField
              label={t("kb.min_score")}
              value={minScore}
              onChange={setMinScore}
              error={isNoNumber(minScore) ? t("ops.not_number") : ""}
              inputMode="decimal"
              placeholder="0.2"
            />
            <Select
              label={t("kb.neighbours")}
              value={neighbours}
              onChange={setNeighbours}
              options={["0", "1", "2", "5", "10"].map((id) => ({ id, label: id }))}
            />
          </div>
          <Checkbox isSelected={distinct} onChange={setDistinct}>
            {t("kb.distinct")}
          </Checkbox>
          <Filter value={conditions} onChange={setConditions} />
        </div>
      </details>
    </form>
  );
}
