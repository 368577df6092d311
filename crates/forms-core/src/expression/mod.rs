//! Expressions over the fields of a record, as rules and computed fields have them: `rows.sum(amount) == net`.
//!
//! There is no loop, no assignment and no call of anything else, so that an expression ends. Its names and kinds are
//! checked when a form is stored.

mod evaluate;
mod kinds;
mod lexer;
mod node;
mod operand;
mod parser;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use evaluate::{Evaluation, Values};
use kinds::KindCheck;
pub(crate) use kinds::{Kind, Scope, kind_of};
use node::Node;
pub(crate) use operand::Operand;

/// Characters of an expression at most. Bounds memory and time; part of the interface (docs/forms.md).
pub const MAX_EXPRESSION: usize = 1_000;

/// An expression whose names and kinds fit a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    source: String,
    node: Node,
    fields: Vec<String>,
}

impl Expression {
    /// Parses an expression that stands at a field. `scopes` are the fields that it can name, from the innermost.
    /// Returns it with the kind of its value, or what is wrong with it.
    pub(crate) fn parse<'a>(source: &str, scopes: &[Scope<'a>]) -> Result<(Self, Kind<'a>), String> {
        if source.trim().is_empty() || source.chars().nth(MAX_EXPRESSION).is_some() {
            return Err(format!("an expression must have 1 to {MAX_EXPRESSION} characters"));
        }
        let mut node = parser::parse(source)?;
        let mut check = KindCheck::default();
        let kind = check.check(&mut node, scopes)?;
        Ok((Self { source: source.trim().to_owned(), node, fields: check.fields }, kind))
    }

    /// As it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Paths of the fields that it names, by their definitions: `/rows/amount`.
    #[must_use]
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// Its value over objects of a record, from the innermost; `Null` where values are missing, or where it would take
    /// too long.
    pub(crate) fn evaluate<'a>(&'a self, scopes: &[&'a Map<String, Value>], tolerance: f64) -> Operand<'a> {
        value_of(&self.node, scopes, tolerance)
    }

    /// For a comparison the values of its two sides, as a message shows them.
    pub(crate) fn sides(&self, scopes: &[&Map<String, Value>]) -> Option<(Value, Value)> {
        let Node::Binary(operator, left, right) = &self.node else { return None };
        if !operator.is_comparison() {
            return None;
        }
        let side = |node| value_of(node, scopes, 0.0).to_json();
        Some((side(left)?, side(right)?))
    }
}

fn value_of<'a>(node: &'a Node, scopes: &[&'a Map<String, Value>], tolerance: f64) -> Operand<'a> {
    let values: Vec<Values<'a>> = scopes.iter().map(|fields| Values::Fields(fields)).collect();
    let mut evaluation = Evaluation::new(tolerance);
    let value = evaluation.evaluate(node, &values);
    if evaluation.is_exhausted() { Operand::Null } else { value }
}
