//! The total to pay: the labelled total that the document's own arithmetic confirms.

use forms_core::labels::Line;
use language::fold::fold_word;
use language::label::SumWord;
use language::number::is_money_word;

use super::ExtractedValue;
use super::kind::FieldKind;
use super::schema::Leaf;
use super::text::Text;
use super::values::{TypedValue, shows_money};

/// Maximum lines that are searched, from the end of the document, where totals are. Bounds the time.
const MAX_LINES: usize = 200_000;
/// Maximum amounts of a line. Bounds the time.
const MAX_SUMS: usize = 12;
/// Maximum totals and taxes whose arithmetic is checked. Their pairs and triples are compared, so it bounds
/// the time.
const MAX_TOTALS: usize = 40;
/// Maximum words of a label. Longer ones are articles or sentences. Chosen by hand; no measurement is
/// recorded.
const MAX_LABEL: usize = 14;
/// Minimum score of a total. A subtotal without a sign of money (0.15) is none.
const MIN_SCORE: f32 = 0.3;

/// Amounts that differ by less are equal: half a cent.
const HALF_CENT: f64 = 0.005;
/// A rounding amount below this is zero.
const NO_CENTS: f64 = 0.001;
/// Cash is rounded to ten cents at most, so by five; a tenth of a cent is for binary fractions.
const MAX_ROUNDING: f64 = 0.051;
// Added to or taken off the base score of a total. Set on the open receipts of `cargo xtask bench extraction`
// and by the test below; none was measured alone.
/// It is a total before tax.
const BEFORE_TAX: f32 = 0.25;
/// It is what was paid, less the change.
const WAS_PAID: f32 = 0.35;
/// It is the total before rounding, or the one after it that the cents confirm, or any total below the cents.
const BEFORE_ROUNDING: f32 = 0.3;
const ROUNDED: f32 = 0.2;
const BELOW_ROUNDING: f32 = 0.06;
/// It is in a breakdown of taxes, beside other amounts, not positive, or without cents and currency.
const IN_BREAKDOWN: f32 = 0.35;
const BESIDE_OTHERS: f32 = 0.1;
const NOT_POSITIVE: f32 = 0.5;
const NO_MONEY: f32 = 0.25;
/// Scores that differ by less are similar: the smallest step between kinds of labels.
const SIMILAR: f32 = 0.05;

// Base scores: how surely each kind of label names the total to pay. Set like those above.
const GRAND_TOTAL: f32 = 0.9;
const INCLUSIVE_TOTAL: f32 = 0.85;
const PAYABLE: f32 = 0.85;
const PLAIN_TOTAL: f32 = 0.8;
const PLAIN_AMOUNT: f32 = 0.55;
const ROUNDED_AMOUNT: f32 = 0.5;
const SUBTOTAL: f32 = 0.4;

/// An amount with a label.
#[derive(Clone, Debug)]
struct Sum {
    line: usize,
    value: TypedValue,
    amount: f64,
    label: SumLabel,
    score: f32,
}

/// The kind of an amount by its label.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SumLabel {
    /// A total, with its base score.
    Total(f32),
    /// An amount paid.
    Paid,
    /// The change returned.
    Change,
    /// The cents of rounding.
    Rounding,
    /// A tax within or beside a total.
    Tax,
    Unlabelled,
}

/// The total of a document.
pub(crate) fn choose(text: &Text, leaf: &Leaf) -> Option<ExtractedValue> {
    let mut sums = sums(text, leaf);
    let paid = net_payments(&sums);
    let rounding = sums.iter().rposition(|sum| sum.label == SumLabel::Rounding);
    let rounding = rounding.and_then(|at| Some((at, sums.get(at)?.amount)));
    let printed: Vec<f64> = sums.iter().map(|sum| sum.amount).collect();
    let untaxed = pre_tax_totals(&sums);
    for (index, sum) in sums.iter_mut().enumerate() {
        let SumLabel::Total(plain) = sum.label else { continue };
        sum.score = plain;
        if untaxed.iter().any(|net| is_near(*net, sum.amount)) {
            sum.score -= BEFORE_TAX;
        }
        if paid.iter().any(|paid| is_near(*paid, sum.amount)) {
            sum.score += WAS_PAID;
        } else if paid.iter().any(|paid| {
            (paid - sum.amount).abs() < MAX_ROUNDING && printed.iter().any(|other| is_near(*other, *paid))
        }) {
            // A few cents off the amount paid: the total before rounding.
            sum.score -= BEFORE_ROUNDING;
        }
        if let Some((_, cents)) = rounding.filter(|(at, _)| index > *at) {
            let rounded = cents.abs() > NO_CENTS
                && printed
                    .iter()
                    .take(index)
                    .any(|before| is_near(before + cents, sum.amount) || is_near(before - cents, sum.amount));
            sum.score += if rounded { ROUNDED } else { BELOW_ROUNDING };
        }
    }
    let best = sums
        .iter()
        .filter(|sum| sum.score >= MIN_SCORE)
        .reduce(|best, sum| if beats(sum, best) { sum } else { best })?;
    let line = text.lines.get(best.line)?;
    Some(ExtractedValue {
        value: best.value.value.clone(),
        start: line.offset(best.value.start),
        end: line.offset(best.value.end),
        // Rises with the score; the trees of `trust` calibrate it. Chosen by hand; no measurement is
        // recorded.
        confidence: (0.4 + 0.4 * best.score).clamp(0.1, 0.97),
    })
}

/// Among totals of similar scores, the largest wins.
fn beats(sum: &Sum, best: &Sum) -> bool {
    if (sum.score - best.score).abs() < SIMILAR { sum.amount > best.amount } else { sum.score > best.score }
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() < HALF_CENT
}

/// The amounts paid less the change that follows; and the last amount paid without change.
fn net_payments(sums: &[Sum]) -> Vec<f64> {
    let mut found = Vec::new();
    let mut paid: Option<f64> = None;
    // Payments are below the total; a card above it may be an article.
    for sum in sums.iter().skip_while(|sum| !matches!(sum.label, SumLabel::Total(_))) {
        match sum.label {
            SumLabel::Paid => paid = Some(sum.amount),
            SumLabel::Change => {
                if let Some(paid) = paid.take().filter(|paid| *paid >= sum.amount) {
                    found.push(paid - sum.amount);
                }
            }
            _ => {}
        }
    }
    found.extend(paid);
    found
}

/// Totals before tax: with a tax of the document they add up to another total.
fn pre_tax_totals(sums: &[Sum]) -> Vec<f64> {
    let totals: Vec<f64> = sums
        .iter()
        .filter(|sum| matches!(sum.label, SumLabel::Total(_)) && sum.amount > 0.0)
        .map(|sum| sum.amount)
        .take(MAX_TOTALS)
        .collect();
    let taxes: Vec<f64> = sums
        .iter()
        .filter(|sum| sum.label == SumLabel::Tax && sum.amount > 0.0)
        .map(|sum| sum.amount)
        .take(MAX_TOTALS)
        .collect();
    let mut found = Vec::new();
    for net in &totals {
        let with = totals.iter().find(|gross| taxes.iter().any(|tax| is_near(net + tax, **gross)));
        found.extend(with.map(|_| *net));
    }
    found
}

/// All labelled amounts of the document, in order.
fn sums(text: &Text, leaf: &Leaf) -> Vec<Sum> {
    let mut found = Vec::new();
    let first = text.lines.len().saturating_sub(MAX_LINES);
    let mut breakdown = false;
    for (index, line) in text.lines.iter().enumerate().skip(first) {
        let values = text.values(FieldKind::Money, index, leaf.output);
        let values = values.get(..values.len().min(MAX_SUMS)).unwrap_or(&values);
        // Bytes: long lines without amounts are running text; skipping them saves time.
        if values.is_empty() && !line.text.is_empty() && line.text.len() > 200 {
            continue;
        }
        let folded = fold_words(&line.text);
        let breaks_down = folded.iter().any(|word| SumWord::Breakdown.has(word));
        if breaks_down && values.iter().all(|value| !shows_money(line.slice(value.start, value.end))) {
            breakdown = true;
        }
        let several =
            values.iter().filter(|value| shows_money(line.slice(value.start, value.end))).count() > 1;
        let mut previous = None;
        for value in values {
            let behind = previous.replace(value.end);
            let Some(amount) = value.number.filter(|amount| amount.is_finite()) else { continue };
            let printed = line.slice(value.start, value.end);
            let Some(label) = label(text, index, value, behind) else { continue };
            let mut says = classify_label(label, amount, shows_money(printed));
            if let SumLabel::Total(plain) = &mut says {
                *plain -= if breakdown { IN_BREAKDOWN } else { 0.0 }
                    + if several && !line.table { BESIDE_OTHERS } else { 0.0 };
                // A total of zero is rarely the one in question.
                *plain -= if amount <= 0.0 { NOT_POSITIVE } else { 0.0 };
            }
            found.push(Sum { line: index, value: value.clone(), amount, label: says, score: 0.0 });
        }
    }
    found
}

/// The label of an amount: the words before it on its line, after the previous amount if there are any; else
/// those of the line above without digits.
fn label<'a>(text: &'a Text, index: usize, value: &TypedValue, previous: Option<usize>) -> Option<&'a str> {
    let line = text.lines.get(index)?;
    let between = line.slice(previous.unwrap_or(0), value.start);
    if has_letters(between) {
        return Some(own_words(line, between, value.start));
    }
    let before = line.slice(0, value.start);
    if has_letters(before) {
        return Some(own_words(line, before, value.start));
    }
    let above = text.lines.get(index.checked_sub(1)?)?;
    let digits = above.text.chars().any(|c| c.is_ascii_digit());
    // Longer lines are not the label of what is below. Chosen by hand; no measurement is recorded.
    (!digits && above.text.split_whitespace().count() <= 4 && has_letters(&above.text))
        .then_some(above.text.as_str())
}

/// On a line with columns, the nearest column with words to the left; numbers may be between.
fn own_words<'a>(line: &'a Line, before: &'a str, end: usize) -> &'a str {
    let begin = end.saturating_sub(before.len());
    let columns = line.segments.iter().rev().filter(|segment| segment.start < end && segment.end > begin);
    let mut texts = columns.map(|segment| line.slice(segment.start.max(begin), segment.end.min(end)));
    texts.find(|text| has_letters(text)).unwrap_or(before)
}

fn has_letters(text: &str) -> bool {
    let mut letters = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= 2);
    letters.any(|word| !is_money_word(word))
}

fn fold_words(text: &str) -> Vec<String> {
    // Forty words: bounds the time of long lines.
    text.split(|c: char| !c.is_alphanumeric())
        .map(fold_word)
        .filter(|word| !word.is_empty())
        .take(40)
        .collect()
}

/// Whether a word is of a kind; in long words a typing error is allowed.
fn is_kind(word: &str, kind: SumWord) -> bool {
    let close = |known: &&str| {
        // In shorter words one letter makes another word; 0.95 allows a letter too few or too many in such a
        // word. Chosen by hand; no measurement is recorded.
        known.len() >= 7
            && known.len().abs_diff(word.len()) <= 2
            && known.as_bytes().first() == word.as_bytes().first()
    };
    kind.has(word)
        || word.len() >= 7 && kind.words().filter(close).any(|known| strsim::jaro_winkler(known, word) > 0.95)
}

/// The words of a label outside brackets, or all if there are none outside.
fn outside_brackets(label: &str) -> Vec<String> {
    let open = label.find('(').unwrap_or(label.len());
    let close = label.get(open..).and_then(|rest| rest.find(')')).map_or(label.len(), |at| open + at);
    let outside =
        format!("{} {}", label.get(..open).unwrap_or_default(), label.get(close..).unwrap_or_default());
    let found = fold_words(&outside);
    if found.is_empty() { fold_words(label) } else { found }
}

/// Whether a label says "total", and not an amount of some other name.
pub(super) fn names_total(label: &str) -> bool {
    matches!(classify_label(label, 0.0, true), SumLabel::Total(base) if base >= PLAIN_TOTAL)
}

fn classify_label(label: &str, amount: f64, money: bool) -> SumLabel {
    let words = fold_words(label);
    // The words of an article, such as a memory card, are not a label.
    if words.len() > MAX_LABEL {
        return SumLabel::Unlabelled;
    }
    let has = |kind: SumWord| {
        words.iter().any(|word| is_kind(word, kind))
            || words.windows(2).any(|pair| kind.has(pair.concat().as_str()))
    };
    let total = has(SumWord::Total) || has(SumWord::Subtotal);
    if has(SumWord::Change) {
        return SumLabel::Change;
    }
    let payable = has(SumWord::Payable);
    if has(SumWord::Rounding) && !total && !payable {
        // A rounded amount, not the cents of rounding.
        return if amount.abs() > 1.0 { SumLabel::Total(ROUNDED_AMOUNT) } else { SumLabel::Rounding };
    }
    if has(SumWord::Paid) && !has(SumWord::Total) && !payable {
        return SumLabel::Paid;
    }
    let outside = outside_brackets(label);
    if outside.iter().any(|word| SumWord::Other.has(word)) {
        return SumLabel::Unlabelled;
    }
    let inclusive = has(SumWord::Inclusive);
    let taxed = has(SumWord::Tax);
    let base = if has(SumWord::Subtotal) || has(SumWord::Exclusive) {
        SUBTOTAL
    } else if taxed && !inclusive {
        return SumLabel::Tax;
    } else if has(SumWord::Grand) && (has(SumWord::Total) || has(SumWord::Amount))
        || has(SumWord::Total) && payable
    {
        GRAND_TOTAL
    } else if total && inclusive {
        INCLUSIVE_TOTAL
    } else if has(SumWord::Total) {
        PLAIN_TOTAL
    } else if payable && (has(SumWord::Amount) || words.len() <= 3) {
        PAYABLE
    } else if words.len() <= 3 && (has(SumWord::Amount) || has(SumWord::Gross)) {
        PLAIN_AMOUNT
    } else {
        return SumLabel::Unlabelled;
    };
    SumLabel::Total(if money { base } else { base - NO_MONEY })
}

#[cfg(test)]
mod tests {
    use super::super::schema::SchemaNode;
    use super::*;

    fn total(text: &str) -> Option<f64> {
        let schema = serde_json::json!({"type": "object", "properties": {"total": {"type": "number"}}});
        let SchemaNode::Object(fields) = SchemaNode::read(&schema) else { return None };
        let Some((_, SchemaNode::Leaf(leaf))) = fields.first() else { return None };
        choose(&Text::read(text, usize::MAX), leaf).and_then(|found| found.value.as_f64())
    }

    #[test]
    fn the_total_to_pay_is_told_from_the_sums_around_it() {
        for (text, expected) in [
            ("Subtotal 10.00\nVAT 20% 2.00\nTotal 12.00\nCash 20.00\nChange 8.00", 12.0),
            ("Total 33.92\nRounding -0.02\nTotal rounded 33.90\nCash 50.00\nChange 16.10", 33.9),
            (
                "Total 25.44\nRounding adjustment 0.01\nAmount to be paid 25.45\nCash 25.50\nChange 0.05",
                25.45,
            ),
            (
                "Total excl. VAT 50.00\nTotal VAT 10.00\nTotal incl. VAT 60.00\nVAT summary\nTotal 50.00 10.00",
                60.0,
            ),
            ("Zwischensumme 1.000,00 €\nMwSt 19 % 190,00 €\nGesamtbetrag 1.190,00 €", 1190.0),
            ("Total HT 100,00\nTVA 20,00\nTotal TTC 120,00", 120.0),
            ("Total qty: 4 8.20\nTotal includes VAT 8.20", 8.2),
            ("Amount due:\n$99.50", 99.5),
            // A net sum and a tax make the total; what the memory card costs is not what was paid.
            ("Memory card 1 278.61 40.39 319.00\nTotal 1 278.61 | 40.39 319.00\nGrand Total 319.00", 319.0),
        ] {
            assert_eq!(total(text), Some(expected), "{text}");
        }
        assert_eq!(total("Coffee 2.50\nCake 3.50\nVAT 1.00\nThank you"), None);
    }
}
