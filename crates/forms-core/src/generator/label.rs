//! The words of a field's name, freed of everything that is not its name.

use super::draft::{Draft, Kind};
use super::infer::{infer, stem};
use super::language::Language;
use super::lexicon::{ASKING, UNITS};
use super::list::is_collection;
use super::range::{self, Counted};
use super::spec::{Spec, apply_range, is_ratio};
use super::words::{Word, any, from, longest_at, until, words};

/// A name and how the field is shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Label {
    pub(super) name: String,
    pub(super) shown: String,
    /// A type that the words state.
    pub(super) kind: Option<Kind>,
    /// Whether a unit was named.
    pub(super) unit: bool,
}

/// Words that lead to a field without being part of it.
const LEADING: &[&str] = &[
    "also",
    "then",
    "finally",
    "lastly",
    "additionally",
    "plus",
    "and",
    "or",
    "as well as",
    "a field for",
    "a field for the",
    "fields for",
    "field for",
    "an indication of",
    "information about",
    "information on",
    "details of",
    "details about",
    "space for",
    "a space for",
    "room for",
    "und",
    "sowie",
    "auch",
    "et",
    "aussi",
    "ainsi que",
    "y",
    "tambien",
    "und ob",
    "we need",
    "i need",
    "we want",
    "ask for",
    "ask",
    "asks for",
    "include",
    "including",
    "optionally",
    "their",
    "his",
    "her",
    "its",
    "your",
    "our",
    "my",
    "the",
    "a",
    "an",
    "some",
    "any",
    "ein",
    "eine",
    "einen",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "seine",
    "ihre",
    "le",
    "la",
    "les",
    "l'",
    "un",
    "une",
    "des",
    "du",
    "son",
    "sa",
    "ses",
    "votre",
    "vos",
    "leur",
    "leurs",
    "el",
    "los",
    "las",
    "una",
    "su",
    "sus",
    "what is",
    "what's",
    "what are",
    "what was",
    "what is your",
    "the name of the field",
    "where the",
    "a short",
    "a brief",
    "a detailed",
    "with",
    "mit",
    "avec",
    "con",
    "all",
    "each",
    "every",
    "is there a field for",
    "add",
    "a place for",
    "a box for",
    "such as",
];
/// Words that begin a list.
const LISTS: &[&str] = &[
    "list of",
    "lists of",
    "array of",
    "one or more",
    "multiple",
    "several",
    "any number of",
    "all",
    "zero or more",
    "liste der",
    "liste von",
    "liste des",
    "liste de",
    "liste d'",
    "lista de",
    "un ou plusieurs",
    "une ou plusieurs",
    "uno o mas",
    "una o mas",
    "mehrere",
    "plusieurs",
    "varios",
    "varias",
    "eine liste von",
    "a number of",
    "collection of",
    "set of",
    "a set of",
];
/// Words after which only an explanation follows.
const CLAUSES: &[&str] = &[
    "so that",
    "so we",
    "so they",
    "because",
    "in order to",
    "who",
    "that",
    "if",
    "unless",
    "when",
    "where",
    "as it appears",
    "as shown",
    "as printed",
    "as stated",
    "as in",
    "falls",
    "wenn",
    "damit",
    "si",
    "afin",
    "pour que",
    "para que",
    "they",
    "he",
    "she",
    "we",
    "you",
    "i",
    "it",
    "such as",
    "like",
    "e.g",
    "for example",
    "including",
    "in case",
    "to be able",
    "including any",
    "ordered by",
    "in the format",
    "in format",
    "as per",
    "according to",
    "via",
    "depending",
    "measured in",
    "expressed in",
    "given in",
    "stated in",
    "from visitors",
    "from customers",
    "from each",
    "from every",
    "zum beispiel",
    "par exemple",
    "por ejemplo",
    "z.b",
    "comme",
];
/// People and things that a question is about without its name saying so.
const SUBJECTS: &[&str] = &[
    "they",
    "he",
    "she",
    "it",
    "you",
    "we",
    "i",
    "there",
    "patient",
    "customer",
    "applicant",
    "user",
    "guest",
    "employee",
    "client",
    "visitor",
    "candidate",
    "tenant",
    "person",
    "participant",
    "member",
    "donor",
    "student",
    "child",
    "driver",
    "owner",
    "buyer",
    "attendee",
    "volunteer",
    "respondent",
    "er",
    "sie",
    "es",
    "kunde",
    "patientin",
    "bewerber",
    "il",
    "elle",
    "ils",
    "elles",
    "on",
    "le",
    "caller",
    "claimant",
    "worker",
    "traveller",
    "traveler",
    "resident",
    "player",
    "subscriber",
    "this",
];
const ARTICLES: &[&str] = &[
    "a",
    "an",
    "the",
    "their",
    "his",
    "her",
    "its",
    "your",
    "our",
    "my",
    "any",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "ein",
    "eine",
    "einen",
    "le",
    "les",
    "une",
    "los",
    "las",
    "votre",
    "leur",
    "leurs",
    "su",
    "sus",
    "this",
    "these",
    "already",
    "ever",
    "also",
    "currently",
];
/// Words of a name at the most.
const MAX_WORDS: usize = 7;

/// Reads the label of a field; what else it says is set on `draft`.
pub(super) fn read(text: &str, language: Language, draft: &mut Draft) -> Label {
    let text = trimmed(text);
    if let Some(label) = question(text, language) {
        return label;
    }
    let mut label = Label { shown: lead_off(text).to_owned(), ..Label::default() };
    let text = listed(text, draft);
    let text = lettered(text, draft);
    let text = ranged(text, draft);
    let text = lead_off(&text).to_owned();
    let (text, unit) = without_unit(&text);
    label.unit = unit;
    let found = words(text);
    let cut = clause(&found);
    label.name = name(until(text, &found, cut), language);
    if draft.many {
        draft.many &= draft.kind != Kind::Boolean;
    }
    label
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_matches(|c: char| {
        matches!(c, ',' | ';' | ':' | '.' | '-' | '!' | '*' | '#' | '<' | '>' | '/' | '=' | '\'' | '"')
            || c.is_whitespace()
    })
}

/// Takes leading words off, but never all.
fn lead_off(text: &str) -> &str {
    let found = words(text);
    let mut at = 0;
    loop {
        let count = longest_at(&found, at, LEADING);
        if count == 0 || at + count >= found.len() {
            return from(text, &found, at);
        }
        at += count;
    }
}

/// `list of skills` → `skills`, many.
fn listed<'a>(text: &'a str, draft: &mut Draft) -> &'a str {
    let bare = lead_off(text);
    for candidate in [text, bare] {
        let found = words(candidate);
        let skip = usize::from(found.first().is_some_and(|word| {
            matches!(word.plain.as_str(), "a" | "an" | "the" | "eine" | "une" | "una" | "la")
        }));
        let count = longest_at(&found, skip, LISTS);
        let whole_noun = found.get(skip).is_some_and(|word| word.plain == "all");
        if count > 0 && found.len() > skip + count {
            draft.many |= !whole_noun;
            let rest = skip + count;
            let of = usize::from(found.get(rest).is_some_and(|word| word.plain == "of"));
            return from(candidate, &found, rest + of);
        }
    }
    let found = words(text);
    if found.len() > 1
        && found.last().is_some_and(|word| matches!(word.plain.as_str(), "list" | "liste" | "lista"))
    {
        let before = until(text, &found, found.len() - 1);
        if !["price", "waiting", "check", "mailing", "packing"]
            .contains(&words(before).last().map_or("", |word| word.plain.as_str()))
        {
            draft.many = true;
            return before;
        }
    }
    text
}

/// Takes `from A to G` off, as options.
fn lettered<'a>(text: &'a str, draft: &mut Draft) -> &'a str {
    let found = words(text);
    let Some(at) = (1..found.len().saturating_sub(2)).find(|at| {
        let plain = |n: usize| found.get(at + n).map_or("", |word| word.plain.as_str());
        ["from", "von", "de", "between"].contains(&plain(0))
            && plain(1).len() == 1
            && ["to", "bis", "a", "and"].contains(&plain(2))
    }) else {
        return text;
    };
    let options = Spec::read(from(text, &found, at + 1), Language::English);
    if options.rest.len() < 2 {
        return text;
    }
    draft.options = options.rest;
    until(text, &found, at)
}

/// Takes a range off; `up to 3 references` makes a list.
fn ranged(text: &str, draft: &mut Draft) -> String {
    let Some(range) = range::find(text) else { return text.to_owned() };
    let found = words(text);
    let (before, after) = (until(text, &found, range.first), from(text, &found, range.end));
    let bare = lead_off(before);
    let leads = bare.is_empty()
        || words(before).iter().all(|word| {
            ARTICLES.contains(&word.plain.as_str()) || longest_at(std::slice::from_ref(word), 0, LEADING) > 0
        });
    if leads && !after.is_empty() && range.counted == Counted::Value {
        if is_collection(words(after).get(..words(after).len().min(2)).unwrap_or_default()) {
            apply_range(&range::Range { counted: Counted::Entries, ..range }, draft);
            draft.many = true;
            return after.to_owned();
        }
        return text.to_owned();
    }
    if before.is_empty() {
        return text.to_owned();
    }
    apply_range(&range, draft);
    let after_words = words(after);
    let unit = after_words.first().is_some_and(|word| UNITS.contains(&word.plain.as_str()));
    if unit { format!("{before} in {after}") } else { format!("{before} {after}") }
}

/// Takes `in kg` off the end.
fn without_unit(text: &str) -> (&str, bool) {
    let found = words(text);
    let marks = ["in", "en", "in the", "in full", "as"];
    for at in (1..found.len()).rev().take(4) {
        let marked = marks.contains(&found.get(at).map_or("", |word| word.plain.as_str()));
        let rest = found.get(at + 1..).unwrap_or_default();
        let unit = |word: &Word| {
            UNITS.contains(&word.plain.as_str())
                || ["per", "or", "square", "cubic", "full", "whole", "degrees"].contains(&word.plain.as_str())
        };
        if marked && !rest.is_empty() && rest.iter().all(unit) {
            return (until(text, &found, at), true);
        }
    }
    let symbol =
        found.last().filter(|word| found.len() > 1 && ["€", "$", "£", "%"].contains(&word.plain.as_str()));
    match symbol {
        Some(word) => (text.get(..word.start).unwrap_or(text).trim(), true),
        None => (text, false),
    }
}

/// Where an explanation begins; past the end when none does.
fn clause(found: &[Word]) -> usize {
    let wh = found.first().is_some_and(|word| {
        ["what", "who", "when", "where", "why", "how", "was", "wer", "wann", "wo", "quand", "que", "cuando"]
            .contains(&word.plain.as_str())
    });
    let first = if wh { found.len() } else { 1 };
    (first..found.len()).find(|at| longest_at(found, *at, CLAUSES) > 0).unwrap_or(found.len())
}

/// A question of yes or no: its name without whom it is about.
fn question(text: &str, language: Language) -> Option<Label> {
    let bare = text.trim_end_matches('?').trim();
    let found = words(bare);
    let mut at = longest_at(
        &found,
        0,
        &["also", "and", "ask", "und", "et", "y", "finally", "a checkbox for", "checkbox for", "a flag for"],
    );
    let whether = longest_at(
        &found,
        at,
        &[
            "whether",
            "whether or not",
            "if",
            "ob",
            "si",
            "indicate whether",
            "indication whether",
            "s'il",
            "an indication whether",
            "a flag whether",
            "say whether",
            "state whether",
            "note whether",
        ],
    );
    let asking = found.get(at).is_some_and(|word| ASKING.contains(&word.plain.as_str()))
        && found.len() > at + 2
        && (text.ends_with('?') || ["do", "does", "did"].contains(&found[at].plain.as_str()));
    if whether == 0 && !asking {
        return None;
    }
    let shown = from(bare, &found, at).to_owned();
    at += whether;
    let rest = found.get(at..)?;
    let verb = if asking {
        Some(0)
    } else {
        rest.iter().position(|word| is_verb(&word.plain)).filter(|place| *place <= 6)
    };
    let content = |words: &[Word]| -> Vec<String> {
        let kept = words.iter().filter(|word| !ARTICLES.contains(&word.plain.as_str()));
        kept.map(|word| bare.get(word.start..word.end).unwrap_or_default().to_owned()).collect()
    };
    let about = |words: &[Word]| words.last().is_none_or(|word| SUBJECTS.contains(&stem(&word.plain)));
    let chosen: Vec<String> = match verb {
        _ if asking => {
            let mut rest = rest.get(1..)?;
            while rest.len() > 1
                && rest.first().is_some_and(|word| {
                    ARTICLES.contains(&word.plain.as_str()) || SUBJECTS.contains(&word.plain.as_str())
                })
            {
                rest = rest.get(1..)?;
            }
            let verb = found.get(at).map(|word| word.plain.clone()).unwrap_or_default();
            let owned = ["has", "have", "had"].contains(&verb.as_str())
                && !rest.first().is_some_and(|word| word.plain.ends_with("ed"));
            let parts = content(rest).into_iter();
            if owned { std::iter::once(verb).chain(parts).collect() } else { parts.collect() }
        }
        Some(verb) if about(rest.get(..verb)?) => {
            let tail = rest.get(verb..)?;
            let skip = usize::from(
                ["would", "will", "can", "could", "should", "do", "does", "did", "may"]
                    .contains(&tail.first()?.plain.as_str())
                    && tail.len() > 1
                    && tail.first()?.plain.starts_with('d'),
            );
            content(tail.get(skip..)?)
        }
        Some(verb) => {
            let mut parts = content(rest.get(..verb)?);
            let tail = rest.get(verb + 1..)?;
            let skip =
                tail.iter().take_while(|word| ["been", "be", "being"].contains(&word.plain.as_str())).count();
            let has = ["has", "have", "had"].contains(&rest.get(verb)?.plain.as_str()) && skip == 0;
            parts.extend(has.then(|| "has".to_owned()));
            parts.extend(content(tail.get(skip..)?));
            parts
        }
        None => {
            let skip = rest
                .iter()
                .take_while(|word| {
                    ARTICLES.contains(&word.plain.as_str()) || SUBJECTS.contains(&word.plain.as_str())
                })
                .count();
            content(rest.get(skip.min(rest.len().saturating_sub(1))..)?)
        }
    };
    let kept: Vec<&str> = chosen.iter().map(String::as_str).take(MAX_WORDS).collect();
    let recommending = language == Language::English && kept.last() == Some(&"us");
    let kept = if recommending { kept.get(..kept.len() - 1)?.join(" ") } else { kept.join(" ") };
    (!kept.is_empty()).then_some(Label { name: kept, shown, kind: Some(Kind::Boolean), unit: false })
}

fn is_verb(word: &str) -> bool {
    ASKING.contains(&word)
        || ["needs", "wants", "requires", "est", "sont", "a", "es", "esta", "tiene", "ont", "son"]
            .contains(&word)
}

/// The words that name the field.
fn name(text: &str, language: Language) -> String {
    let found = words(text);
    let plain: Vec<&str> = found.iter().map(|word| word.plain.as_str()).collect();
    let raw = |word: &Word| text.get(word.start..word.end).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    let skip = match plain.as_slice() {
        ["how", "many", ..] => {
            kept.push("number of".to_owned());
            2
        }
        [
            "which" | "what" | "welche" | "welcher" | "welches" | "quel" | "quelle" | "quels" | "quelles"
            | "cual",
            next,
            ..,
        ] if !is_verb(next) && !SUBJECTS.contains(next) => 1,
        ["i", ..] if plain.len() > 1 => 1,
        _ => 0,
    };
    let wh = matches!(plain.first(), Some(&("who" | "when" | "where" | "why" | "what")));
    for word in found.iter().skip(skip) {
        let article = [
            "a", "an", "the", "their", "his", "her", "its", "your", "our", "my", "der", "die", "das", "dem",
            "den", "le", "les", "une", "leur", "votre", "all",
        ]
        .contains(&word.plain.as_str());
        let filler = wh && ["it", "is", "was"].contains(&word.plain.as_str());
        // "Party A" ends in a letter, not in an article.
        let article = article && word.end < text.trim_end().len();
        if (article && !kept.is_empty() && language != Language::Spanish) || filler {
            continue;
        }
        let bare = raw(word);
        let owner =
            bare.strip_suffix("'s").or_else(|| bare.strip_suffix("s'").map(|_| bare.trim_end_matches('\'')));
        kept.push(owner.unwrap_or(bare).to_owned());
        if kept.len() >= MAX_WORDS {
            break;
        }
    }
    while kept.len() > 1
        && kept.last().is_some_and(|last| {
            ["by", "of", "in", "for", "with", "as", "and", "or", "to", "is", "are", "the", "a", "-", "at"]
                .contains(&last.to_lowercase().as_str())
        })
    {
        let dated = kept.len() == 2 && ["by", "at", "in", "to"].contains(&kept[1].to_lowercase().as_str());
        if dated {
            break;
        }
        kept.pop();
    }
    let joined = kept.join(" ");
    // An abbreviation before a slash names the field as well as the word after it.
    if any(&found, &["/"]) { joined.replace('/', " ") } else { joined }
}

/// Whether words alone name a field well enough to stand in a form.
pub(super) fn is_field_like(text: &str, language: Language) -> bool {
    let found = words(text);
    found.len() <= 4 || infer(&found, language).kind != Kind::String
}
