//! Infers the slot type of a field from its type and the words of its name and description.

use forms_core::{Field, FieldType};
use language::date::DatePrecision;
use language::token::Tokens;

use crate::nlu::tokens::message::any_lexicon;

/// Semantic type of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotType {
    /// One of several options.
    Choice,
    /// Yes or no.
    Flag,
    /// A count of things.
    Count,
    /// Any other number.
    Number,
    /// A duration.
    Duration,
    Money,
    Date,
    Time,
    Email,
    Phone,
    Url,
    /// A town, or another place.
    Place,
    /// Street and house number.
    Address,
    /// Name of a person.
    Person,
    /// Name of a thing.
    Title,
    /// A word of a known class, such as a genre or a cuisine.
    Class,
    /// An issued number or code.
    Code,
    /// Free text.
    Text,
    List,
    Object,
}

/// Role of a date, time or place in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RangeRole {
    None,
    Start,
    End,
}

/// Infers the slot type of a field.
pub(crate) fn infer_slot_type(field: &Field, name: &[String], said: &[String]) -> SlotType {
    match field.kind {
        FieldType::Email => return SlotType::Email,
        FieldType::Url => return SlotType::Url,
        FieldType::Date if field.precision != DatePrecision::Day => return SlotType::Text,
        FieldType::Date => return SlotType::Date,
        // The unit belongs to the answer.
        _ if field.unit.is_some() => return SlotType::Text,
        FieldType::Array(_) => return SlotType::List,
        FieldType::Object(_) => return SlotType::Object,
        _ if !field.options.is_empty() => {
            let numeric = field.options.iter().all(|option| option.trim().parse::<f64>().is_ok());
            return if numeric { SlotType::Count } else { SlotType::Choice };
        }
        _ => {}
    }
    match field.format.as_deref() {
        Some("date") => return SlotType::Date,
        Some("date-time") => return SlotType::Text,
        Some("time") => return SlotType::Time,
        Some("email") => return SlotType::Email,
        Some("uri" | "url") => return SlotType::Url,
        Some("phone" | "tel") => return SlotType::Phone,
        _ => {}
    }
    let is_number = matches!(field.kind, FieldType::Number | FieldType::Integer);
    let by_words = slot_type_by_name(name, said);
    match by_words {
        SlotType::Count | SlotType::Number | SlotType::Money | SlotType::Duration => by_words,
        _ if matches!(field.kind, FieldType::Integer) => SlotType::Count,
        _ if is_number => SlotType::Number,
        other => other,
    }
}

/// Infers the slot type of a text field by its name, then by its description.
fn slot_type_by_name(name: &[String], said: &[String]) -> SlotType {
    let lexicon = any_lexicon();
    let is = |word: &String, list: &str| lexicon.list(list).has_word(word);
    let has = |list: &str| name.iter().any(|own| is(own, list));
    let begins = |list: &str| lexicon.list(list).length_at(&Tokens::of(&said.join(" ")), 0) > 0;
    let is_counted =
        (has("number_word") && has("of")) || name.first().is_some_and(|word| is(word, "count_prefix"));
    let of_people = has("size_word") && has("party_word") || has("headcount");
    // "Number of the seats" is a count, "number of the meter" is a code.
    let of_one = begins("number_of")
        && said.get(2).is_some_and(|word| any_lexicon().list("determiner").has_word(word))
        && said.last().is_some_and(|word| !word.ends_with('s'));
    if of_one && !is_counted {
        return SlotType::Code;
    }
    if is_counted || of_people || begins("number_of") && !has("name_word") && !has("time_noun") {
        return if name.iter().any(|word| slot_type_of_word(word) == Some(SlotType::Duration)) {
            SlotType::Duration
        } else {
            SlotType::Count
        };
    }
    // "Nombre" means number in French and name in Spanish.
    if has("name_or_number") && !has("of") {
        return SlotType::Person;
    }
    let firm = [SlotType::Email, SlotType::Phone, SlotType::Url];
    if let Some(sense) =
        name.iter().filter_map(|word| slot_type_of_word(word)).find(|sense| firm.contains(sense))
    {
        return sense;
    }
    if has("name_word") {
        let people =
            |words: &[String]| words.iter().any(|word| slot_type_of_word(word) == Some(SlotType::Person));
        let self_words = any_lexicon().list("self");
        let is_self = name.iter().all(|word| self_words.has_word(word));
        return if is_self || people(name) { SlotType::Person } else { SlotType::Title };
    }
    if name.last().is_some_and(|word| any_lexicon().list("number_noun").has_word(word)) {
        return SlotType::Code;
    }
    // "city of event" and "event city" are both cities.
    let head = name.iter().position(|word| any_lexicon().list("of_noun").has_word(word));
    let before = head.map_or(name, |head| name.get(..head).unwrap_or_default());
    let by_name = before
        .iter()
        .rev()
        .chain(name.iter().rev())
        .find_map(|word| slot_type_of_word(word).or_else(|| slot_type_of_compound(word)));
    // In a sentence these are prepositions and conjunctions: "the steps to reproduce it".
    let joins = |word: &&String| any_lexicon().list("description_preposition").has_word(word);
    let by_words = || said.iter().filter(|word| !joins(word)).find_map(|word| slot_type_of_word(word));
    let asks_for_words = said.first().is_some_and(|word| any_lexicon().list("describe").has_word(word));
    if asks_for_words && by_name.is_none() {
        return SlotType::Text;
    }
    match by_name {
        Some(SlotType::Title | SlotType::Text) | None => {
            let other = by_words();
            let person = other.filter(|sense| *sense == SlotType::Person && begins("name_of"));
            person.or(by_name).or(other).unwrap_or(SlotType::Text)
        }
        Some(sense) => sense,
    }
}

/// The slot type that a word implies.
fn slot_type_of_word(word: &str) -> Option<SlotType> {
    let list = any_lexicon().list("sense");
    let line = list.lines_of(word).next()?;
    let key = list.keys().get(line)?.first()?;
    Some(match key.as_str() {
        "email" => SlotType::Email,
        "phone" => SlotType::Phone,
        "url" => SlotType::Url,
        "date" => SlotType::Date,
        "time" => SlotType::Time,
        "money" => SlotType::Money,
        "count" => SlotType::Count,
        "duration" => SlotType::Duration,
        "number" => SlotType::Number,
        "code" => SlotType::Code,
        "address" => SlotType::Address,
        "place" => SlotType::Place,
        "class" => SlotType::Class,
        "title" => SlotType::Title,
        "person" => SlotType::Person,
        "text" => SlotType::Text,
        _ => return None,
    })
}

/// The slot type of a compound by its last part, as in German: `geburtsdatum`.
fn slot_type_of_compound(word: &str) -> Option<SlotType> {
    let ends = word.char_indices().map(|(at, _)| at).filter(|at| *at >= 3 && word.len() - at >= 4);
    ends.filter_map(|at| word.get(at..)).find_map(slot_type_of_word)
}

pub(crate) fn role(sense: SlotType, name: &[String], said: &[String]) -> RangeRole {
    let (start, end) = match sense {
        SlotType::Place | SlotType::Address | SlotType::Title => ("origin", "destination"),
        SlotType::Date | SlotType::Time => ("start", "end"),
        _ => return RangeRole::None,
    };
    let lexicon = any_lexicon();
    let tell = |words: &[String]| {
        let joined = words.join(" ");
        let text = Tokens::of(&joined);
        (0..text.len()).find_map(|at| {
            let (start, end) =
                (lexicon.list(start).length_at(&text, at), lexicon.list(end).length_at(&text, at));
            match () {
                () if start + end == 0 => None,
                () if start >= end => Some(RangeRole::Start),
                () => Some(RangeRole::End),
            }
        })
    };
    // A description uses short words in other meanings, so only words of more than four letters count.
    let verbs: Vec<String> = said.iter().filter(|word| word.len() > 4).cloned().collect();
    tell(name).or_else(|| tell(&verbs)).unwrap_or(RangeRole::None)
}
