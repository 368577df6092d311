//! Candidates from labelled lines, "Name: Anna Maier", and from messages that are only a name or an address.

use language::stem::light_stem;
use serde_json::{Value, json};

use crate::nlu::context::field_profile::{FieldProfile, SlotType, split_number};
use crate::nlu::context::nlu_context::{NluContext, SlotCandidate};
use crate::nlu::tokens::message::{any_lexicon, words_of};

/// Score of a value after its field's name and a colon.
const SURE: i32 = 14;
/// Most bytes of a value.
const MAX_VALUE: usize = 2_000;
/// Most bytes of a label.
const MAX_LABEL: usize = 80;
/// Most labels looked up in a message.
const MAX_LABELS: usize = 200;
/// Most words of an answer that is a name or an address.
const MAX_WORDS: usize = 20;

/// Candidates from lines such as "Name: Anna Maier", also several per line: "Name: Anna, Town: Bonn".
pub(crate) fn add_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    let (mut begin, mut left) = (0, MAX_LABELS);
    for line in context.text.raw.split_inclusive('\n') {
        for (from, piece, index) in pieces(context, line, &mut left) {
            claims.extend(labelled_candidate(context, piece, begin + from, index));
        }
        begin += line.len();
        if left == 0 {
            return;
        }
    }
}

/// The parts of a line that start with a field's name and a colon: byte offset, text and field index.
/// Decrements `left` for each label looked up.
fn pieces<'l>(context: &NluContext<'_>, line: &'l str, left: &mut usize) -> Vec<(usize, &'l str, usize)> {
    let mut field = |rest: &str| {
        let beginning = rest.get(..rest.floor_char_boundary(MAX_LABEL)).unwrap_or_default();
        let label = beginning.split_once([':', '=']).map_or("", |(label, _)| label);
        if label.is_empty() || label.contains([',', ';', '|']) || *left == 0 {
            return None;
        }
        *left -= 1;
        find_labelled_field(context, label).map(|(index, _)| index)
    };
    let ends = line.match_indices([',', ';', '|']).map(|(at, mark)| at + mark.len());
    let starts = std::iter::once(0).chain(ends);
    let named: Vec<(usize, usize)> =
        starts.filter_map(|start| Some((start, field(line.get(start..)?)?))).collect();
    let next = named.iter().skip(1).map(|(start, _)| *start).chain([line.len()]);
    let piece =
        |((start, index), end): (&(usize, usize), usize)| Some((*start, line.get(*start..end)?, *index));
    named.iter().zip(next).filter_map(piece).collect()
}

/// The candidate of a part that starts with a field's name and a colon.
fn labelled_candidate(
    context: &NluContext<'_>,
    piece: &str,
    start: usize,
    index: usize,
) -> Option<SlotCandidate> {
    let (label, value) = piece.split_once([':', '='])?;
    let said = value.trim().trim_end_matches([',', ';', '|']).trim_end();
    if said.is_empty() || said.len() > MAX_VALUE || said.starts_with("//") {
        return None;
    }
    let profile = context.profiles.get(index)?;
    let at = start + label.len() + 1 + (value.len() - value.trim_start().len());
    let words = context.text.tokens_in(&(at..at + said.len()));
    let takes = matches!(
        profile.slot_type,
        SlotType::Person
            | SlotType::Title
            | SlotType::Text
            | SlotType::Address
            | SlotType::Class
            | SlotType::Code
            | SlotType::Place
    );
    let claim =
        (takes && !words.is_empty()).then(|| context.make_candidate(index, words, json!(said), SURE))?;
    Some(SlotCandidate { score: SURE, is_meant: true, ..claim })
}

/// The field whose name equals a label, else the one whose name resembles it.
fn find_labelled_field<'s, 'a>(
    context: &'s NluContext<'a>,
    label: &str,
) -> Option<(usize, &'s FieldProfile<'a>)> {
    let is_article =
        |word: &str| ["articles", "possessive"].iter().any(|list| context.lexicon.list(list).has_word(word));
    let roots = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !is_article(word)).map(|word| light_stem(word)).collect()
    };
    let (said, number) = split_number(words_of(label));
    let said = roots(&said);
    let same = |name: &str, word: &str| name == word;
    let alike = |name: &str, word: &str| context.lexicon.are_alike(name, word);
    let find = |is: &dyn Fn(&str, &str) -> bool| {
        context.profiles.iter().enumerate().find(|(_, profile)| {
            let name = roots(&profile.name);
            let fits = name.len() == said.len() && name.iter().zip(&said).all(|(name, word)| is(name, word));
            fits && !said.is_empty() && profile.number == number
        })
    };
    find(&same).or_else(|| find(&alike))
}

/// The whole message, if a name or an address was asked for and it is nothing else: "Müller, Anna",
/// "Bahnhofstr. 1, 10115 Berlin".
pub(crate) fn whole_answer(context: &NluContext<'_>, profile: &FieldProfile<'_>) -> Option<Value> {
    let length = context.text.len();
    let raw = context.text.raw.trim();
    if length == 0 || length > MAX_WORDS || raw.ends_with(['?', '!']) {
        return None;
    }
    let words = 0..length;
    let digits = words.clone().any(|at| context.text.folded(at).starts_with(|c: char| c.is_ascii_digit()));
    let particle = |at: usize| any_lexicon().list("name_particle").has_word(context.text.folded(at));
    let everyday = |at: usize| {
        ["pronoun", "interrogative", "filler", "courtesy", "yes", "no", "correction"]
            .iter()
            .any(|list| context.is_in_list(list, at))
    };
    match profile.slot_type {
        SlotType::Person | SlotType::Title => {
            let is_name = length <= 8
                && length > 1
                && !digits
                && words.clone().all(|at| context.text.is_capital(at) || at > 0 && particle(at))
                && !words.clone().any(everyday)
                && !words
                    .clone()
                    .any(|at| context.is_in_list("weekdays", at) || context.is_in_list("months", at));
            is_name.then(|| json!(raw.trim_end_matches([',', ';'])))
        }
        SlotType::Address => {
            let is_address = digits && length > 1 && !words.clone().any(everyday);
            let joined: Vec<&str> = raw
                .lines()
                .map(|line| line.trim().trim_end_matches(','))
                .filter(|line| !line.is_empty())
                .collect();
            // When postcode and town have fields of their own, the first line is the street.
            let street = joined.first().filter(|_| joined.len() > 1 && has_town(context, profile));
            is_address.then(|| street.map_or_else(|| json!(joined.join(", ")), |street| json!(street)))
        }
        _ => None,
    }
}

/// Whether the object of an address also has open fields for postcode and town.
fn has_town(context: &NluContext<'_>, profile: &FieldProfile<'_>) -> bool {
    let above = profile.path.rsplit_once('/').map_or("", |(above, _)| above);
    let beside = |sense: SlotType| {
        context.profiles.iter().any(|other| {
            let is_beside = other.path.rsplit_once('/').is_some_and(|(own, _)| own == above);
            is_beside && other.is_open && other.slot_type == sense
        })
    };
    beside(SlotType::Place) && beside(SlotType::Code)
}

/// Candidates of postcode and town after a street: "Oak Road 7, 20095 Hamburg".
pub(crate) fn add_town_candidates(context: &NluContext<'_>, claims: &mut Vec<SlotCandidate>) {
    let Some((_, asked)) = context
        .asked_field()
        .filter(|(_, asked)| asked.slot_type == SlotType::Address && has_town(context, asked))
    else {
        return;
    };
    let above = asked.path.rsplit_once('/').map_or("", |(above, _)| above);
    let last = context.text.raw.trim().rsplit(['\n', ',']).next().unwrap_or_default();
    let bytes = context.text.raw.rfind(last).map_or(0..0, |start| start..start + last.len());
    let words = context.text.tokens_in(&bytes);
    let code = words.start;
    let is_code = context.text.is_digits(code) && (4..=6).contains(&context.text.folded(code).len());
    let town = code + 1..words.end;
    let is_town = (1..=3).contains(&town.len()) && town.clone().all(|at| context.text.is_capital(at));
    if code == 0 || !is_code || !is_town {
        return;
    }
    for (index, profile) in context.fields_of_types(&[SlotType::Code, SlotType::Place]) {
        let is_beside = profile.path.rsplit_once('/').is_some_and(|(own, _)| own == above);
        let words = if profile.slot_type == SlotType::Code { code..code + 1 } else { town.clone() };
        if is_beside && profile.is_open {
            let value = json!(context.text.slice(&words));
            claims.push(context.make_candidate(index, words, value, SURE));
        }
    }
}
