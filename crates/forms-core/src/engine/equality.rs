//! Equality of values and nodes of several answers.

use language::fold::fold_letters;
use serde_json::Value;

use super::node::Node;
use super::text::PrintConventions;

/// Bytes of a text that is compared as a number or a date. Longer ones are running text, and cost time.
const SHORT: usize = 64;

/// Whether two values are equal: numbers by value, texts without case, whitespace and punctuation, or as the
/// number or date that they spell.
pub(super) fn is_same_value(printing: &PrintConventions<'_>, a: &Value, b: &Value) -> bool {
    if is_same_scalar(a, b) {
        return true;
    }
    let (Value::String(a), Value::String(b)) = (a, b) else { return false };
    if a.len() > SHORT || b.len() > SHORT {
        return false;
    }
    let number = |text: &str| printing.number(text);
    let date = |text: &str| printing.date(text);
    let same_number = || number(a).is_some_and(|own| number(b) == Some(own));
    let same_date = || date(a).is_some_and(|own| date(b) == Some(own));
    let spelt = |text: &str| text.chars().all(|c| !c.is_alphabetic());
    same_date() || (spelt(a) && spelt(b) && same_number())
}

/// Whether two nodes have equal values.
pub(super) fn is_same_node(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Leaf(a), Node::Leaf(b)) => is_same_scalar(&a.value, &b.value),
        (Node::Absent, Node::Absent) => true,
        (Node::Group(a), Node::Group(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_node(a, b))
        }
        (Node::List { items: a, .. }, Node::List { items: b, .. }) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_node(a, b))
        }
        _ => false,
    }
}

/// Whether two scalars are equal: numbers by value, texts without case, whitespace and punctuation.
fn is_same_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::String(a), Value::String(b)) => {
            let own = || fold_letters(a);
            a == b || (own() == fold_letters(b) && !own().is_empty())
        }
        _ => a == b,
    }
}
