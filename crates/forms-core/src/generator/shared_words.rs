//! Splits entries that share a word: "first and last name", "sender name and address".
//!
//! Counts of words that decide here were set on the phrases of `tests/generator`; none was measured alone.

use super::draft::DraftKind;
use super::infer::infer;
use super::language::Language;
use super::lexicon::FIELDS;
use super::words::{Phrases, Word, text_before, text_from, words};

/// Modifiers before a noun that the next entry shares.
static MODIFIERS: Phrases = Phrases::new(
    "first, last, given, family, start, end, check-in, check-out, arrival, departure, billing, \
    shipping, delivery, home, work, mobile, minimum, maximum, min, max, old, new, current, \
    previous, opening, closing, pickup, pick-up, drop-off, dropoff, return, issue, expiry, \
    father's, mother's, net, gross, systolic, diastolic, mother, father, day, night, private, \
    business, begin, from, departing, arriving, planned, actual, estimated, inbound, outbound, \
    left, right, invoice, due, birth, death, wedding, before, after, loading, unloading, indoor, \
    outdoor, postal, residential, maiden, middle, primary, secondary, origin, destination, bride's, \
    groom's, buyer's, seller's, ship-to, bill-to, check in, check out, collection, installation",
);
/// Nouns that may belong to the person named in the previous entry.
static GENERIC: Phrases = Phrases::new(
    "address, phone, email, age, title, number, role, company, contact, signature, telephone, date, \
    gender, adresse, telefon, id",
);

/// In `first` and `last name` the noun is shared; in `sender name` and `address` the owner.
pub(super) fn split_shared(one: &str, other: &str) -> Option<[String; 2]> {
    if one.contains(['(', ':', '"']) || other.contains([':', '"']) {
        return None;
    }
    if let Some(both) = split_compound(one, other) {
        return Some(both);
    }
    let (left, right) = (words(one), words(other));
    let (last_left, first_right) = (left.last()?, right.first()?);
    let fore = |word: &Word| MODIFIERS.contains(&word.plain.as_str());
    let known_name = infer(&right, Language::English).kind != DraftKind::String
        || right.last().is_some_and(|word| FIELDS.contains(&word.plain.as_str()));
    if fore(last_left) && fore(first_right) && (2..=3).contains(&right.len()) && known_name {
        let before = text_before(one, &left, left.len() - 1);
        let noun = text_from(other, &right, 1);
        let first = format!("{one} {}", singular(noun));
        return Some([first, format!("{before} {}", singular_last(other)).trim().to_owned()]);
    }
    // "The seller's name and VAT number": both belong to the seller.
    let noun = left
        .len()
        .checked_sub(2)
        .and_then(|at| Some((at, left.get(at)?)))
        .filter(|(_, word)| word.plain.ends_with("'s"));
    if let Some((at, _)) = noun
        && at <= 1
        && last_left.plain == "name"
        && right.len() <= 3
        && right.last().is_some_and(|word| GENERIC.contains(&word.plain.as_str()) || word.plain == "birth")
    {
        let whose = text_from(text_before(one, &left, left.len() - 1), &left, at);
        return Some([one.to_owned(), format!("{whose} {other}")]);
    }
    let whose = left.first().is_some_and(|word| {
        ![
            "full", "first", "last", "given", "family", "middle", "your", "their", "the", "file", "user",
            "legal",
        ]
        .contains(&word.plain.as_str())
    });
    if left.len() == 2
        && whose
        && last_left.plain == "name"
        && right.len() == 1
        && GENERIC.contains(&first_right.plain.as_str())
    {
        return Some([one.to_owned(), format!("{} {other}", text_before(one, &left, 1))]);
    }
    None
}

/// `Vor-` and `Nachname`: the first entry shares the tail of the German compound.
fn split_compound(one: &str, other: &str) -> Option<[String; 2]> {
    const TAILS: [&str; 14] = [
        "name",
        "datum",
        "nummer",
        "reise",
        "zeit",
        "betrag",
        "adresse",
        "preis",
        "tag",
        "ort",
        "termin",
        "anschrift",
        "gewicht",
        "temperatur",
    ];
    let stem = one.strip_suffix('-').filter(|stem| !stem.is_empty())?;
    let (first, rest) = other.split_once(' ').unwrap_or((other, ""));
    let folded = first.to_lowercase();
    let tail = TAILS.iter().find(|tail| folded.len() > tail.len() && folded.ends_with(**tail))?;
    Some([format!("{stem}{tail} {rest}").trim().to_owned(), other.to_owned()])
}

fn singular(noun: &str) -> &str {
    match noun {
        "dates" | "names" | "times" | "phones" | "numbers" | "prices" | "weights" | "locations" => {
            noun.strip_suffix('s').unwrap_or(noun)
        }
        "addresses" => "address",
        _ => noun,
    }
}

fn singular_last(text: &str) -> String {
    match text.rsplit_once(' ') {
        Some((before, last)) => format!("{before} {}", singular(last)),
        None => singular(text).to_owned(),
    }
}
