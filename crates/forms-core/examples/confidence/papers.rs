//! Papers made by seed: a trade, a language, a layout, a form, the text and the truth.

use serde_json::{Map, Value, json};

use crate::print::print;
use crate::random::Random;
use crate::values::{Flags, Style, make};
use crate::words::{Item, Make, TRADES};

/// Which papers are learned from; chosen by trade, language, layout and kinds of faults at once, before
/// anything was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    Tuned,
    HeldOut,
    /// Made when all had been chosen by the other two, of trades, languages, layouts and faults of its own.
    Fresh,
}

/// How the single values of a paper stand.
const LAYOUTS: [&str; 8] =
    ["lines", "table", "side by side", "label above", "leaders", "clauses", "stacked", "numbered"];

/// A document with its form and truth.
#[derive(Clone, Debug)]
pub(crate) struct Paper {
    /// `made`, `receipts` or `invoices`.
    pub(crate) source: &'static str,
    pub(crate) half: Half,
    /// Which of two apart parts of the tuned half it is in; `None` where it is in neither.
    pub(crate) part: Option<usize>,
    pub(crate) text: String,
    pub(crate) form: Map<String, Value>,
    /// What the fields should be, `null` where the paper does not say; no entry where nobody knows.
    pub(crate) truth: Map<String, Value>,
    /// Other values that the paper prints, by kind.
    pub(crate) printed: Vec<Value>,
}

/// The layouts, languages and trades of a half, and of one of two apart parts of the tuned half.
fn pools(half: Half, part: Option<usize>) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let (trades, languages, layouts) = match half {
        Half::Tuned => ((0..6).collect::<Vec<_>>(), vec![0, 2, 5, 6], vec![0, 1, 2]),
        Half::HeldOut => ((6..12).collect(), vec![1, 3, 4, 7], vec![3, 4, 5]),
        Half::Fresh => ((12..16).collect(), vec![8, 9], vec![6, 7]),
    };
    let Some(part) = part else { return (trades, languages, layouts) };
    let own = |list: &[usize]| list.iter().copied().filter(|one| one % 2 == part).collect::<Vec<_>>();
    (own(&trades), [vec![0, 5], vec![2, 6]][part].clone(), vec![part, 2])
}

/// How the papers of a half say yes and no.
fn flags(half: Half) -> &'static [Flags] {
    match half {
        Half::HeldOut => &[Flags::Words],
        Half::Tuned | Half::Fresh => &[Flags::Words, Flags::Boxes, Flags::Ticked, Flags::Sentences],
    }
}

/// The share of papers with labels that no vocabulary knows, as those of further languages.
fn strange(half: Half) -> f64 {
    match half {
        Half::Tuned => 0.25,
        Half::HeldOut | Half::Fresh => 0.0,
    }
}

/// One paper.
pub(crate) fn paper(half: Half, part: Option<usize>, random: &mut Random) -> Paper {
    let (trades, languages, layouts) = pools(half, part);
    let trade = &TRADES[*random.pick(&trades)];
    let language = *random.pick(&languages);
    let style = Style::new(language, flags(half), strange(half), random);
    let mut truth = Map::new();
    for field in trade.fields {
        truth.insert(field.name.to_owned(), make(field.make, random));
    }
    if let Some((name, columns)) = trade.rows {
        let rows = rows(columns, &mut truth, random);
        truth.insert(name.to_owned(), Value::from(rows));
    }
    orderly(&mut truth);
    let layout = LAYOUTS[*random.pick(&layouts)];
    let text = print(trade.fields, trade.rows, trade.name, &truth, style, layout, random);
    let mut printed: Vec<Value> =
        trade.fields.iter().filter_map(|field| truth.get(field.name).cloned()).collect();
    printed.extend(truth.values().filter_map(Value::as_array).flatten().flat_map(|row| {
        row.as_object().into_iter().flat_map(|row| row.values().cloned()).collect::<Vec<_>>()
    }));
    // Some fields are printed and not asked for, and some are asked for and not printed.
    let mut form = Map::new();
    for field in trade.fields {
        if random.chance(0.2) {
            truth.remove(field.name);
        } else {
            form.insert(field.name.to_owned(), definition(field, style, random));
        }
    }
    if let Some((name, columns)) = trade.rows {
        let mut properties = Map::new();
        for column in columns {
            properties.insert(column.name.to_owned(), definition(column, style, random));
        }
        let item = json!({ "type": "object", "properties": properties });
        form.insert(name.to_owned(), json!({ "type": "array", "items": item }));
    }
    let names: Vec<&Item> = trades.iter().flat_map(|other| TRADES[*other].fields).collect();
    for _ in 0..2 {
        let absent = *random.pick(&names);
        let label = style.label(absent);
        // Numbers behind "Tel." are lines that no field asks for, and yet what such a field would be.
        let is_said = text.contains(&label) || absent.make == Make::Phone && text.contains("Tel. ");
        if !is_said && !form.contains_key(absent.name) && !truth.contains_key(absent.name) {
            form.insert(absent.name.to_owned(), definition(absent, style, random));
            truth.insert(absent.name.to_owned(), Value::Null);
        }
    }
    Paper { source: "made", half, part, text, form, truth, printed }
}

fn rows(columns: &[Item], truth: &mut Map<String, Value>, random: &mut Random) -> Vec<Value> {
    let count = 2 + random.below(6);
    let mut rows = Vec::new();
    let (mut sum, mut balance) = (0.0, truth.get("opening_balance").and_then(Value::as_f64).unwrap_or(0.0));
    let cents = |value: f64| (value * 100.0).round() / 100.0;
    for _ in 0..count {
        let mut row = Map::new();
        for column in columns {
            row.insert(column.name.to_owned(), make(column.make, random));
        }
        let number = |row: &Map<String, Value>, name: &str| row.get(name).and_then(Value::as_f64);
        if let (Some(quantity), Some(price)) = (number(&row, "quantity"), number(&row, "unit_price")) {
            row.insert("amount".to_owned(), Value::from(cents(quantity * price)));
        }
        if row.contains_key("balance") {
            let amount = number(&row, "amount").unwrap_or(0.0) * if random.chance(0.6) { -1.0 } else { 1.0 };
            balance = cents(balance + amount);
            row.insert("amount".to_owned(), Value::from(amount));
            row.insert("balance".to_owned(), Value::from(balance));
        }
        sum += number(&row, "amount").unwrap_or(0.0);
        rows.push(Value::Object(row));
    }
    if truth.contains_key("closing_balance") {
        truth.insert("closing_balance".to_owned(), Value::from(balance));
    }
    if let Some(rate) = truth.get("tax_rate").and_then(Value::as_f64) {
        let tax = cents(sum * rate / 100.0);
        for (name, value) in [("net_amount", cents(sum)), ("tax_amount", tax), ("total", cents(sum + tax))] {
            truth.insert(name.to_owned(), Value::from(value));
        }
    }
    rows
}

/// Puts dates and sums in order.
fn orderly(truth: &mut Map<String, Value>) {
    for (early, late) in [
        ("invoice_date", "due_date"),
        ("order_date", "delivery_date"),
        ("start_date", "end_date"),
        ("shipping_date", "delivery_date"),
        ("publication_date", "submission_deadline"),
        ("check_in", "check_out"),
        ("collection_date", "report_date"),
        ("birth_date", "collection_date"),
        ("billing_date", "due_date"),
        ("inspection_date", "next_inspection"),
    ] {
        let (Some(first), Some(last)) = (truth.get(early).cloned(), truth.get(late).cloned()) else {
            continue;
        };
        if first.as_str() > last.as_str() {
            truth.insert(early.to_owned(), last);
            truth.insert(late.to_owned(), first);
        }
    }
    let number = |truth: &Map<String, Value>, name: &str| truth.get(name).and_then(Value::as_f64);
    if let (Some(gross), Some(tax)) = (number(truth, "gross_pay"), number(truth, "income_tax")) {
        truth.insert("net_pay".to_owned(), Value::from(((gross - tax) * 100.0).round() / 100.0));
    }
}

fn definition(field: &Item, style: Style, random: &mut Random) -> Value {
    let mut definition = match field.make {
        Make::Date => json!({ "type": "date" }),
        Make::Email => json!({ "type": "email" }),
        Make::Money(_) | Make::Percent => json!({ "type": "number" }),
        Make::Count(_) => json!({ "type": "integer" }),
        Make::Flag => json!({ "type": "boolean" }),
        Make::Choice(options) => json!({ "type": "string", "enum": options }),
        _ => json!({ "type": "string" }),
    };
    match random.below(5) {
        0 => definition["description"] = Value::from(field.label(0)),
        1 => definition["description"] = Value::from(style.label(field)),
        _ => {}
    }
    definition
}
