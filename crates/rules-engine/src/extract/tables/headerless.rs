//! Items of a list without a header, such as those of a receipt: words, then the price.

use forms_core::labels::{Line, Segment, words};
use serde_json::{Number, Value};

use super::super::ExtractedValue;
use super::super::kind::Output;
use super::super::schema::Leaf;
use super::super::text::Text;
use super::super::values::shows_money;
use super::Row;
use super::cells::Field;

// The first bounds the time; longer lines than the second are not items.
/// Maximum lines that are read.
const MAX_LINES: usize = 20_000;
/// Maximum bytes of a line.
const MAX_BYTES: usize = 160;
/// Words that no item has.
const OTHERS: &[&str] = &[
    "total", "subtotal", "tax", "net", "gross", "cash", "change", "rounding", "discount", "due", "payment",
    "balance", "deposit", "amount", "date", "invoice", "phone", "account", "salary", "rent", "premium",
];

/// The line of an item.
struct Item {
    name: Segment,
    quantity: Option<(Segment, f64)>,
    price: Option<(Segment, f64)>,
    amount: (Segment, f64),
}

/// The items before the first total, if the fields are those of items.
pub(super) fn rows(text: &Text, fields: &[Field<'_>]) -> Vec<Row> {
    let is =
        |leaf: &Leaf, list: &[&str]| leaf.concepts.words.iter().any(|word| list.contains(&word.as_ref()));
    let named =
        fields.iter().any(|(_, leaf)| leaf.output == Output::Verbatim && is(leaf, &["description", "name"]));
    let costs = fields.iter().any(|(_, leaf)| is(leaf, &["price", "amount", "total", "cost"]));
    if !named || !costs {
        return Vec::new();
    }
    let end = text.lines.iter().take(MAX_LINES).position(is_total).unwrap_or(0);
    let lines = text.lines.get(..end).unwrap_or_default();
    let items = lines.iter().filter_map(|line| Some((line, item(text, line)?)));
    items
        .map(|(line, item)| {
            let cells = fields.iter().map(|(name, leaf)| ((*name).to_owned(), cell(line, &item, leaf)));
            Row::Object(cells.collect())
        })
        .collect()
}

/// Whether a line is the first of the totals.
fn is_total(line: &Line) -> bool {
    let found = words(&line.text);
    let first =
        found.first().is_some_and(|word| matches!(word.as_ref(), "total" | "subtotal" | "grand" | "amount"));
    first && line.text.bytes().any(|byte| byte.is_ascii_digit())
}

fn item(text: &Text, line: &Line) -> Option<Item> {
    if line.text.len() > MAX_BYTES {
        return None;
    }
    let mut words_of_line: Vec<Segment> = Vec::new();
    let mut at = 0;
    for part in line.text.split_inclusive(char::is_whitespace) {
        let content = part.trim();
        if !content.is_empty() {
            words_of_line.push(Segment { start: at, end: at + content.len() });
        }
        at += part.len();
    }
    let printed = |segment: &Segment| line.slice(segment.start, segment.end);
    let number = |segment: &Segment| {
        let printed = printed(segment).trim_matches(['€', '$', '£', '*', '@']);
        let plain = !printed.is_empty()
            && printed.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'));
        text.number(printed).filter(|_| plain)
    };
    let mut rest = words_of_line.as_slice();
    // A tax code or currency after the amount.
    while let [before @ .., last] = rest
        && number(last).is_none()
        // A tax code, or a currency of ISO 4217.
        && printed(last).chars().count() <= 3
    {
        rest = before;
    }
    let mut numbers = Vec::new();
    while let [before @ .., last] = rest
        // Quantity, price and amount.
        && numbers.len() < 3
    {
        if let Some(value) = number(last) {
            numbers.push((*last, value));
        } else if !matches!(printed(last), "x" | "X" | "×" | "@" | "=" | "€" | "$" | "£" | "EUR" | "RM") {
            break;
        }
        rest = before;
    }
    numbers.reverse();
    let amount = *numbers.last().filter(|(segment, _)| shows_money(printed(segment)))?;
    let mut quantity = None;
    while let [first, after @ ..] = rest {
        let count = printed(first).trim_end_matches(['x', 'X', '×']);
        // Larger numbers are codes of articles. Chosen by hand; no measurement is recorded.
        let whole = count.parse::<u32>().ok().filter(|count| (1..10_000).contains(count));
        match whole {
            Some(count) if quantity.is_none() => quantity = Some((*first, f64::from(count))),
            None if matches!(printed(first), "x" | "X" | "×" | "-" | "*" | "•") => {}
            _ => break,
        }
        rest = after;
    }
    let name = Segment { start: rest.first()?.start, end: rest.last()?.end };
    let content = line.slice(name.start, name.end).trim_end_matches([':', '-', ',']);
    let found = words(content);
    let letters = content.chars().filter(|c| c.is_alphabetic()).count();
    // Fewer letters are a code. Chosen by hand; no measurement is recorded.
    if letters < 3 || content.contains(':') || found.iter().any(|word| OTHERS.contains(&word.as_ref())) {
        return None;
    }
    // One cent, as products are rounded, and a tenth for binary fractions.
    let near = |a: f64, b: f64| (a - b).abs() < 0.011;
    let price = match numbers.as_slice() {
        [count, price, sum] if near(count.1 * price.1, sum.1) => {
            quantity = Some(*count);
            Some(*price)
        }
        [count, sum] if quantity.is_none() && !shows_money(printed(&count.0)) && count.1.fract() == 0.0 => {
            quantity = Some(*count);
            let _ = sum;
            None
        }
        [.., price, sum] if quantity.is_none_or(|(_, count)| near(count * price.1, sum.1)) => Some(*price),
        _ => None,
    };
    Some(Item {
        name: Segment { start: name.start, end: name.start + content.len() },
        quantity,
        price,
        amount,
    })
}

fn cell(line: &Line, item: &Item, leaf: &Leaf) -> Option<ExtractedValue> {
    let found = |segment: Segment, value: Value| ExtractedValue {
        value,
        start: line.offset(segment.start),
        end: line.offset(segment.end),
        // Found by its form alone, without a label. Chosen by hand; no measurement is recorded.
        confidence: 0.6,
    };
    let has = |concept: &str| leaf.concepts.has(concept);
    if leaf.output == Output::Verbatim && (has("description") || has("name")) && !has("number") {
        return Some(found(item.name, Value::from(line.slice(item.name.start, item.name.end))));
    }
    let (segment, number) = if has("quantity") {
        item.quantity?
    } else if has("price") && (has("unit") || item.price.is_some()) {
        item.price?
    } else if ["amount", "total", "price", "cost"].into_iter().any(has) {
        item.amount
    } else {
        return None;
    };
    let value = match leaf.output {
        Output::Integer if number.fract() == 0.0 => Value::from(number as i64),
        Output::Number => Number::from_f64(number).map(Value::Number)?,
        Output::Verbatim => Value::from(line.slice(segment.start, segment.end)),
        _ => return None,
    };
    Some(found(segment, value))
}
