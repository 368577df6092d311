//! Detects incomplete questions: what their last words, or their auxiliary verb, require and the question
//! lacks. The heuristics use only the function words of each language. They distinguish endings that a
//! complete question may have, such as a preposition, from those that none has.

use language::Language;
use language::sentence::sentences;
use language::token::words;

/// What a question lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingParts {
    /// A noun after an article, a possessive, or an adjective with an article.
    pub noun: bool,
    /// The object of a preposition.
    pub object: bool,
    /// What follows a form of *be*, *have* or *do*, or a modal.
    pub predicate: bool,
    /// A clause after a conjunction or comma.
    pub clause: bool,
    /// The main verb of an auxiliary before the subject.
    pub verb: bool,
}

impl MissingParts {
    /// Whether the question lacks what every complete question has. A preposition may end a complete
    /// question.
    #[must_use]
    pub fn is_incomplete(self) -> bool {
        self.noun || self.predicate || self.clause || self.verb
    }
}

/// The function words of a language, in lower case.
struct FunctionWords {
    /// ISO 639-1.
    code: &'static str,
    /// Articles and possessives that are never alone.
    determiners: &'static str,
    /// Words that need a noun after a determiner.
    adjectives: &'static str,
    /// Prepositions, without those that end a sentence as part of a verb.
    prepositions: &'static str,
    conjunctions: &'static str,
    /// Forms of *be*, *have*, *do*, and modals.
    auxiliaries: &'static str,
    /// The auxiliaries that need a main verb after the subject; see [`MainVerbRule`].
    helpers: &'static str,
    main_verb: MainVerbRule,
}

/// How the main verb after an auxiliary is recognised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MainVerbRule {
    /// *When did the war* …: by the number of lower-case words beside the subject that do not end like nouns.
    ByCount,
    /// *Wann wurde der Vertrag* …: the last word is in lower case and ends like an infinitive or participle.
    ByEnding,
    Unknown,
}

const PRONOUNS: &str = "i you he she it we they one this these";
const NOUN_ENDINGS: [&str; 5] = ["s", "tion", "ment", "ity", "ness"];
const VERB_ENDINGS: [&str; 2] = ["t", "n"];
const ADJECTIVE_ENDINGS: [&str; 5] = ["e", "en", "er", "es", "em"];

const FUNCTION_WORDS: [FunctionWords; 10] = [
    FunctionWords {
        code: "en",
        determiners: "a an the my your its our their whose every each",
        adjectives: "first second third fourth fifth last next same main whole only other new",
        prepositions: "of to in for on as with from by at into about between during among than after before under over \
            through against without within upon per since until toward towards",
        conjunctions: "and or but that if when while because whether where why nor",
        auxiliaries: "is are was were am be been being did does has had will would can could should shall must may might",
        helpers: "did does do",
        main_verb: MainVerbRule::ByCount,
    },
    FunctionWords {
        code: "de",
        determiners: "der die das den dem des eine einen einem einer eines dieser dieses diesen diesem jeder jede jedes \
            jeden jedem mein meine meinen meinem meiner seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres \
            unser unsere unseren kein keine keinen am zum zur im vom beim ins ans wie sehr so",
        adjectives: "",
        prepositions: "von in für gegen ohne zwischen während wegen seit über unter als gegenüber hinter",
        conjunctions: "und oder aber dass ob wenn weil sondern denn damit sich zu",
        auxiliaries: "ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können konnte konnten soll \
            sollen sollte sollten muss müssen musste darf dürfen will wollen gibt",
        helpers: "wurde wurden",
        main_verb: MainVerbRule::ByEnding,
    },
    FunctionWords {
        code: "fr",
        determiners: "le la les l un une des du au aux ce cet cette ces mon ma mes son sa ses notre nos votre vos leur \
            leurs chaque quel quelle quels quelles",
        adjectives: "premier première dernier dernière même",
        prepositions: "de d à en dans pour par sur avec sans sous entre chez vers depuis pendant",
        conjunctions: "et ou mais que qu si quand car dont",
        auxiliaries: "est sont était étaient a ont avait avaient sera seront peut doit",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "es",
        determiners: "el la los las un una unos unas del al mi mis su sus nuestro nuestra cada este esta estos estas qué",
        adjectives: "primer primera última último mismo misma",
        prepositions: "de a en para por con sin sobre entre hasta desde hacia según durante",
        conjunctions: "y e o u pero que si cuando porque",
        auxiliaries: "es son era eran fue fueron está están ha han había puede debe",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "it",
        determiners: "il lo la i gli le l un uno una del dello della dei degli delle al allo alla ai alle nel nella nei \
            dal dalla sul sulla ogni",
        adjectives: "primo prima ultimo ultima stesso stessa",
        prepositions: "di a da in con su per tra fra senza verso durante",
        conjunctions: "e ed o ma che se quando perché",
        auxiliaries: "è sono era erano ha hanno aveva fu può deve",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "pt",
        determiners: "o a os as um uma do da dos das ao à no na nos nas pelo pela cada este esta seu sua",
        adjectives: "primeiro primeira último última mesmo mesma",
        prepositions: "de em para por com sem sobre entre até desde",
        conjunctions: "e ou mas que se quando porque",
        auxiliaries: "é são era eram foi foram está estão tem têm pode deve",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "nl",
        determiners: "de het een deze elke elk mijn zijn hun onze ons",
        adjectives: "eerste tweede laatste zelfde",
        prepositions: "van voor met bij door tussen tegen zonder tijdens sinds naar te",
        conjunctions: "en of maar dat als omdat wanneer",
        auxiliaries: "is was waren wordt werd werden heeft had hadden kan moet",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "pl",
        determiners: "",
        adjectives: "",
        prepositions: "w we z ze do na od o po za przez dla przy bez pod nad przed między",
        conjunctions: "i oraz lub albo ale że czy jeśli",
        auxiliaries: "jest są był była było były",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "sv",
        determiners: "en ett den det de min mitt sin sitt varje",
        adjectives: "första andra sista samma",
        prepositions: "av för från till med hos mellan mot utan under",
        conjunctions: "och eller men att om när",
        auxiliaries: "är var blev har hade kan ska",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
    FunctionWords {
        code: "da",
        determiners: "en et den det de min mit sin sit hver",
        adjectives: "første anden sidste samme",
        prepositions: "af for fra til med hos mellem mod uden under",
        conjunctions: "og eller men at om når",
        auxiliaries: "er var blev har havde kan skal",
        helpers: "",
        main_verb: MainVerbRule::Unknown,
    },
];

fn contains_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// What the last sentence of a prompt in `language` lacks.
#[must_use]
pub fn find_missing_parts(prompt: &str, language: Language) -> MissingParts {
    let Some(small) = FUNCTION_WORDS.iter().find(|small| Some(small.code) == language.code()) else {
        return MissingParts::default();
    };
    let last = sentences(prompt).last().and_then(|(start, end)| prompt.get(*start..*end));
    let question = last.unwrap_or_default().trim_end();
    let said: Vec<&str> = words(question).map(|word| word.text).collect();
    let lower: Vec<String> = said.iter().map(|word| word.to_lowercase()).collect();
    let Some(end) = lower.last() else { return MissingParts::default() };
    let predicate = contains_word(small.auxiliaries, end) && !ends_a_clause(small, question, &said, &lower);
    MissingParts {
        noun: lacks_noun(small, question, &said, &lower),
        object: contains_word(small.prepositions, end),
        predicate,
        clause: contains_word(small.conjunctions, end) || question.ends_with([',', ':', ';']),
        verb: !predicate && lacks_verb(small, &said, &lower),
    }
}

fn is_lowercase(word: &str) -> bool {
    word.starts_with(char::is_lowercase)
}

fn ends_in(word: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| word.ends_with(ending))
}

/// Whether the last word is a determiner or possessive, or an adjective after one.
fn lacks_noun(small: &FunctionWords, question: &str, said: &[&str], lower: &[String]) -> bool {
    let bare = question.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let possessive =
        small.code == "en" && (bare.ends_with(['\'', '’']) || bare.ends_with("'s") || bare.ends_with("’s"));
    let [.., before, end] = lower else { return possessive };
    // German nouns are capitalised.
    let inflected = || {
        small.main_verb == MainVerbRule::ByEnding
            && said.last().is_some_and(|word| is_lowercase(word))
            && ends_in(end, &ADJECTIVE_ENDINGS)
            && !contains_word(small.auxiliaries, end)
    };
    let adjective =
        contains_word(small.determiners, before) && (contains_word(small.adjectives, end) || inflected());
    possessive || adjective || contains_word(small.determiners, end)
}

/// Whether an auxiliary at the end may end a subordinate clause, as after a pronoun, or follow its main verb,
/// as in German.
fn ends_a_clause(small: &FunctionWords, question: &str, said: &[&str], lower: &[String]) -> bool {
    let [.., before, _] = lower else { return false };
    if contains_word(PRONOUNS, before) {
        return true;
    }
    let spoken = said.len().checked_sub(2).and_then(|at| said.get(at)).is_some_and(|word| is_lowercase(word));
    small.main_verb == MainVerbRule::ByEnding
        && (question.contains(',')
            || spoken && ends_in(before, &VERB_ENDINGS) && !contains_word(small.determiners, before))
}

/// Whether an auxiliary near the beginning has no main verb after it.
fn lacks_verb(small: &FunctionWords, said: &[&str], lower: &[String]) -> bool {
    let Some(at) = lower.iter().take(8).position(|word| contains_word(small.helpers, word)) else {
        return false;
    };
    let (Some(rest), Some(small_rest)) = (said.get(at + 1..), lower.get(at + 1..)) else { return false };
    // A yes/no question begins with its auxiliary; a statement is not a question.
    if at == 0 {
        return false;
    }
    let lists = [small.determiners, small.prepositions, small.conjunctions, PRONOUNS];
    let content = || {
        let of = rest.iter().zip(small_rest).filter(|(word, _)| is_lowercase(word)).map(|(_, lower)| lower);
        of.filter(|lower| lists.iter().all(|list| !contains_word(list, lower)))
    };
    match small.main_verb {
        MainVerbRule::ByCount => {
            let nouns =
                content().filter(|word| ends_in(word, &NOUN_ENDINGS) && !word.ends_with("ss")).count();
            let subject = nouns > 0
                || rest.iter().any(|word| !is_lowercase(word))
                || small_rest.first().is_some_and(|word| contains_word(PRONOUNS, word));
            content().count() - nouns < if subject { 1 } else { 2 }
        }
        MainVerbRule::ByEnding => !content().any(|word| ends_in(word, &VERB_ENDINGS)),
        MainVerbRule::Unknown => false,
    }
}

#[cfg(test)]
mod tests {
    use language::detect::detect;

    use super::*;

    fn is_whole(question: &str) -> bool {
        find_missing_parts(question, detect(question)) == MissingParts::default()
    }

    #[test]
    fn a_question_that_breaks_off_lacks_something() {
        for question in [
            "How many points did the",
            "Who is the first",
            "What was Tesla's",
            "How many sacks did Jared Allen",
            "When did the ministers",
            "Which city was",
            "Wie viele Punkte gab die",
            "Wer ist der stellvertretende",
            "Wann wurde der Vertrag",
            "Wie viele Menschen haben",
            "Quel est le nom de la",
            "¿Cuál es el",
            "Qual è il",
            "Wat is het",
        ] {
            assert!(!is_whole(question), "{question}");
        }
    }

    #[test]
    fn a_short_question_lacks_nothing() {
        for question in [
            "Who is the CEO?",
            "Total?",
            "rent per month",
            "When did Tesla die?",
            "What does it cost?",
            "What did he invent?",
            "How many guests can stay?",
            "Who did she marry?",
            "When do doors open?",
            "When does the office open?",
            "Wie hoch ist die Miete?",
            "Wann endet der Vertrag?",
            "Wann wurde das Haus gebaut?",
            "Welche Rechte haben Mieter?",
            "Wie muss die Miete gezahlt werden?",
            "Quel est le loyer ?",
            "¿Cuánto cuesta?",
            "Ile kosztuje?",
        ] {
            assert!(is_whole(question), "{question}: {:?}", find_missing_parts(question, detect(question)));
        }
    }
}
