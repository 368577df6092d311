//! Sums of money: an amount and the currency beside it are two parts of one field. Whoever states one of them with the
//! other beside it states both.

use agents_core::chat::{SlotOperation, SlotUpdate};
use language::money::scan_money;
use language::printed_currency::mark_of;
use serde_json::Value;

use crate::nlu::context::nlu_context::NluContext;
use crate::nlu::entities::numbers;

/// A sum of a message: its amount, and its currency as it is written.
struct Sum<'a> {
    amount: f64,
    mark: &'a str,
}

/// Adds the parts of sums that the statements leave out and that the message has beside them.
pub(crate) fn complete_sums(context: &NluContext<'_>, statements: &mut Vec<SlotUpdate>) {
    let sums = sums(context.text.raw);
    let mut added = Vec::new();
    let set = statements.iter().enumerate().filter(|(_, one)| one.change != SlotOperation::Remove);
    for (at, statement) in set {
        let Some((whole, part)) = statement.path.rsplit_once('/') else { continue };
        let Some([amount, currency]) = parts(context, whole) else { continue };
        let (is_amount, other) = if part == amount { (true, currency) } else { (false, amount) };
        let path = format!("{whole}/{other}");
        if (!is_amount && part != currency) || statements.iter().any(|one| one.path == path) {
            continue;
        }
        let mut of_value = sums.iter().filter(|sum| is_part(sum, is_amount, &statement.value));
        let (Some(sum), None) = (of_value.next(), of_value.next()) else { continue };
        let value = if is_amount { Value::from(sum.mark) } else { numbers::json(sum.amount) };
        let place = if is_amount { at + 1 } else { at };
        added.push((place, SlotUpdate { path, value, is_meant: false, ..statement.clone() }));
    }
    // From the end, so that the places before stay; the amount stands before its currency.
    for (place, statement) in added.into_iter().rev() {
        statements.insert(place, statement);
    }
}

fn sums(message: &str) -> Vec<Sum<'_>> {
    let mut found = Vec::new();
    scan_money(message, |mention| {
        let mark = mark_of(message, mention.number.range.clone()).and_then(|mark| message.get(mark));
        if let (Some(amount), Some(mark)) = (mention.amount(None), mark) {
            found.push(Sum { amount, mark });
        }
    });
    found
}

/// The names of amount and currency of the field of money at a path.
fn parts<'a>(context: &NluContext<'a>, path: &str) -> Option<[&'a str; 2]> {
    let field = context.turn.form.field_at(path)?;
    let (amount, currency) = field.money_parts()?;
    let forms_core::FieldType::Object(parts) = &field.kind else { return None };
    Some([&parts.get(amount)?.name, &parts.get(currency)?.name])
}

/// Whether a stated amount or currency is that of the sum.
fn is_part(sum: &Sum<'_>, is_amount: bool, value: &Value) -> bool {
    match (is_amount, value) {
        (true, value) => value.as_f64().is_some_and(|amount| (amount - sum.amount).abs() < 1e-9),
        (false, Value::String(mark)) => {
            let codes = |text: &str| language::printed_currency::meanings(text);
            mark == sum.mark || codes(mark).iter().any(|one| codes(sum.mark).contains(one))
        }
        (false, _) => false,
    }
}
