//! The best value of a field in one document, if the evidence suffices.

use forms_core::labels::{Line, label_fit, left_label, words};
use language::label::is_concept;

use super::kind::FieldKind;
use super::labelled_text::{MIN_FIT, find_labelled};
use super::schema::Leaf;
use super::text::Text;
use super::values::{TypedValue, shows_money};
use super::{
    ExtractedValue, address, currency, dates, exact_label, options, organisation, periods, prose, total,
};

/// Maximum values of a line. Bounds the time.
const MAX_VALUES: usize = 32;
/// Scores that differ by less are equal, and the first one wins: a guard against rounding.
const TIE: f32 = 0.001;
/// Added to the score of the last amount of a line. More than [`TIE`], less than labels differ.
const LAST_AMOUNT: f32 = 0.03;

// Scores, which are confidences as well: of a value with a label, of a kind that its form shows (dates,
// contacts) or of any other; and of a date or time, and of a contact, without a label. They rise with the fit
// of the label and, only to decide between equals, towards the top. Set on the open halves of `cargo xtask
// bench extraction`; none was measured alone. The trees of `trust` calibrate them.
const SHOWN: f32 = 0.6;
const SHOWN_FIT: f32 = 0.35;
const SHOWN_PLACE: f32 = 0.02;
const PLAIN: f32 = 0.5;
const PLAIN_FIT: f32 = 0.4;
const MONEY_FIT: f32 = 0.35;
/// Added for a currency or cents.
const MONEY_SIGN: f32 = 0.1;
const ALONE: f32 = 0.4;
const ALONE_PLACE: f32 = 0.1;
const CONTACT: f32 = 0.5;
const CONTACT_PLACE: f32 = 0.05;

/// Words of a name for contact details, which say how somebody is reached and not who.
const CONTACTS: &[&str] = &["email", "phone", "url", "iban", "address", "person", "bank", "account"];
/// Minimum characters of a tax, register, account or insurance number. Shorter ones are a position or a page.
/// Chosen by hand; no measurement is recorded.
const MIN_NUMBER: usize = 5;

/// The field's value in a document.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let own = choose_of_kind(text, leaf);
    let date = leaf.date.as_ref().and_then(|date| choose_of_kind(text, date));
    // The date of equals, which the rules of texts leave out.
    match (date, own) {
        (Some(date), Some(own)) if own.confidence > date.confidence => Some(own),
        (date, own) => date.or(own),
    }
}

fn choose_of_kind(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let by_kind = choose_by_kind(text, leaf);
    match exact_label::find_place(text, leaf) {
        Some(place) => exact_label::choose(text, leaf, place, by_kind),
        None => by_kind,
    }
}

/// The value that the rules of the field's kind find.
fn choose_by_kind(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let found = match leaf.kind {
        FieldKind::Total => total::choose(text, leaf),
        FieldKind::Currency => currency::choose(text, leaf),
        FieldKind::Boolean => options::boolean(text, leaf),
        FieldKind::Enum => options::option(text, leaf),
        FieldKind::Organisation => organisation::choose(text, leaf),
        FieldKind::Address => address::choose(text, leaf),
        FieldKind::Text => find_labelled(text, leaf).or_else(|| code_value(text, leaf)),
        FieldKind::Identifier => best_typed_value(text, leaf).or_else(|| find_wording(text, leaf)),
        _ => best_typed_value(text, leaf),
    };
    found.or_else(|| prose::choose(text, leaf))
}

/// The code of a field such as a licence, whose label is not separate from it.
fn code_value(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    const CODED: &[&str] =
        &["licence", "policy", "claim", "meter", "lot", "booking", "flight", "room", "table", "seat"];
    let coded = leaf.concepts.words.iter().any(|word| CODED.contains(&word.as_ref()));
    let leaf = coded.then(|| Leaf { kind: FieldKind::Identifier, ..leaf.clone() })?;
    best_typed_value(text, &leaf)
}

/// The text of a label for a code without digits, such as a dress code.
fn find_wording(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let own = leaf.concepts.words.iter().any(|word| !is_concept(word));
    // From a fit of 0.9 on (0.45 + 0.5 * fit). Chosen by hand; no measurement is recorded.
    let sure = |found: &ExtractedValue| found.confidence >= 0.9;
    own.then(|| find_labelled(text, leaf))?.filter(sure)
}

/// The best typed value by its label; the first of equals.
fn best_typed_value(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let mut best: Option<(f32, usize, TypedValue)> = None;
    // Subtotals accumulate: the last one includes the others.
    let parts = leaf.kind == FieldKind::Money && (leaf.concepts.has("subtotal") || leaf.concepts.has("net"));
    // An amount below a word is in a column; the totals of a document have their label beside them.
    // Factors of the fit of a label above. Chosen by hand; no measurement is recorded.
    let above = if leaf.kind == FieldKind::Money { 0.7 } else { 0.85 };
    for (index, line) in text.lines.iter().enumerate() {
        let values = text.values(leaf.kind, index, leaf.output);
        let asks = leaf.kind == FieldKind::Date && leaf.concepts.is_qualified() && values.len() > 1;
        let ranges = if asks { text.dates(line) } else { &[] };
        let last = values.len().min(MAX_VALUES).saturating_sub(1);
        for (position, value) in values.iter().take(MAX_VALUES).enumerate() {
            let label = label_fit(text, &leaf.concepts, index, value.start, value.end, above);
            let label = if ranges.is_empty() {
                label
            } else {
                label.max(period_fit(text, leaf, index, ranges, value.start))
            };
            let Some(score) = score(text, leaf, line, value, label, index) else { continue };
            // The last amount of a line is the amount of the line.
            let score =
                if leaf.kind == FieldKind::Money && position == last { score + LAST_AMOUNT } else { score };
            let larger = |other: &TypedValue| parts && value.number > other.number;
            if best
                .as_ref()
                .is_none_or(|(other, _, held)| score > other + TIE || score > other - TIE && larger(held))
            {
                best = Some((score, index, value.clone()));
            }
        }
    }
    let (score, index, value) = best?;
    let line = text.lines.get(index)?;
    Some(ExtractedValue {
        start: line.offset(value.start),
        end: line.offset(value.end),
        value: value.value,
        // No value is certain or impossible.
        confidence: score.clamp(0.05, 0.99),
    })
}

/// How well a date matches a field as the start or end of a period.
fn period_fit(text: &Text, leaf: &Leaf, index: usize, dates: &[dates::DateSpan], start: usize) -> f32 {
    let Some(line) = text.lines.get(index) else { return 0.0 };
    let end = periods::find_period_end(line, dates, start);
    end.map_or(0.0, |(end, begin)| periods::period_fit(text, &leaf.concepts, index, end, begin))
}

/// The score of a value for a field; `None` if the evidence is too weak.
fn score(text: &Text, leaf: &Leaf, line: &Line, value: &TypedValue, label: f32, index: usize) -> Option<f32> {
    let printed = line.slice(value.start, value.end);
    if is_label_number(leaf, line, value) {
        return None;
    }
    let place = 1.0 - index as f32 / text.lines.len().max(1) as f32;
    match leaf.kind {
        FieldKind::Date if label >= MIN_FIT => Some(SHOWN + SHOWN_FIT * label + SHOWN_PLACE * place),
        // A date without a label is the document's own only if the field asks for no particular date.
        FieldKind::Date => {
            let thin = !leaf.concepts.is_general(&["date", "time", "purchase", "sale", "visit"])
                || leaf.concepts.has("issue")
                || is_other_day(leaf, line, value);
            (!thin).then_some(ALONE + ALONE_PLACE * place)
        }
        FieldKind::Email | FieldKind::Url | FieldKind::Iban | FieldKind::Bic | FieldKind::Phone => {
            let fax = left_label(line, value.start)
                .is_some_and(|label| words(label).last().is_some_and(|word| word == "fax"));
            match label {
                _ if fax && !leaf.concepts.has("fax") => None,
                fit if fit >= MIN_FIT => Some(SHOWN + SHOWN_FIT * fit + SHOWN_PLACE * place),
                _ if !leaf.concepts.is_general(CONTACTS) || leaf.kind == FieldKind::Bic => None,
                // Digits without a label for a telephone may be anything.
                _ if leaf.kind == FieldKind::Phone && !shows_phone(line, value) => None,
                _ => Some(CONTACT + CONTACT_PLACE * place),
            }
        }
        FieldKind::Money => {
            let sure = if shows_money(printed) { MONEY_SIGN } else { 0.0 };
            (label >= MIN_FIT && !is_other_number(leaf, line, value))
                .then_some(PLAIN + MONEY_FIT * label + sure)
        }
        FieldKind::Identifier => {
            let long = ["tax", "registration", "account", "insurance"]
                .iter()
                .any(|concept| leaf.concepts.has(concept));
            let signs = printed.chars().filter(|c| c.is_alphanumeric()).count();
            let share = line.slice(value.end, line.text.len()).trim_start().starts_with('%');
            (label >= MIN_FIT && !share && (!long || signs >= MIN_NUMBER))
                .then_some(PLAIN + PLAIN_FIT * label)
        }
        FieldKind::Time if label < MIN_FIT => {
            let thin = !leaf.concepts.is_general(&["time", "date", "purchase", "sale", "visit"]);
            (!thin).then_some(ALONE + ALONE_PLACE * place)
        }
        _ => (label >= MIN_FIT && !is_other_number(leaf, line, value)).then_some(PLAIN + PLAIN_FIT * label),
    }
}

/// Whether a number belongs to the label: `Rating (1-5): 4`, or a percentage that the field does not ask for.
fn is_label_number(leaf: &Leaf, line: &Line, value: &TypedValue) -> bool {
    if !matches!(leaf.kind, FieldKind::Number | FieldKind::Money) {
        return false;
    }
    let rest = line.slice(value.end, line.text.len());
    if rest.trim_start().starts_with('%') {
        return !leaf.concepts.hints_at("rate");
    }
    let close = rest.find([')', ']']);
    close.is_some_and(|close| {
        rest.get(close + 1..).is_some_and(|after| after.trim_start().starts_with(':'))
            && !rest.get(..close).is_some_and(|inside| inside.contains(['(', '[']))
    })
}

/// Whether digits look like a telephone number: with `+`, or alone with the area code in brackets.
fn shows_phone(line: &Line, value: &TypedValue) -> bool {
    let printed = line.slice(value.start, value.end);
    // Two bytes for punctuation around it.
    let alone = line.segment(line.segment_at(value.start)).len() <= printed.len() + 2;
    printed.starts_with('+') || alone && printed.starts_with('(') && printed.contains(')')
}

/// Whether a number is an identifier rather than a count or amount.
fn is_other_number(leaf: &Leaf, line: &Line, value: &TypedValue) -> bool {
    let printed = line.slice(value.start, value.end);
    // Eight digits without points: a hundred million is printed in groups. Chosen by hand; no measurement is
    // recorded.
    let long = printed.bytes().filter(u8::is_ascii_digit).count() >= 8
        && printed.bytes().all(|byte| byte.is_ascii_digit());
    let called = || {
        left_label(line, value.start)
            .is_some_and(|label| words(label).iter().any(|word| word == "number" || word == "registration"))
    };
    long || !leaf.concepts.has("number") && called()
}

/// Whether the label of a date names another day than the document's.
fn is_other_day(leaf: &Leaf, line: &Line, value: &TypedValue) -> bool {
    const OTHER_DAYS: &[&str] = &["birth", "due", "start", "end", "delivery", "shipping", "hire"];
    left_label(line, value.start).is_some_and(|label| {
        words(label).iter().any(|word| OTHER_DAYS.contains(&word.as_ref()) && !leaf.concepts.has(word))
    })
}
