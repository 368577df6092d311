//! Evaluates an expression over the values of a record. Where a value is missing, the result is missing, unless the
//! other operands decide it (`false and …`, `true or …`).

use std::cmp::Ordering;

use chrono::{Datelike, NaiveDate, TimeDelta};
use serde_json::{Map, Value};

use super::node::{Aggregate, Function, Node, Operator};
use super::operand::Operand;

/// Nodes evaluated for one expression at most: a list within a list within a list of 10,000 rows would never end.
/// About a tenth of a second.
const MAX_STEPS: usize = 2_000_000;

/// Values that names are looked up in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Values<'a> {
    Fields(&'a Map<String, Value>),
    /// The item of a list of plain values, or a row that is `null`.
    Item(&'a Value),
}

/// The evaluation of an expression.
#[derive(Debug)]
pub(super) struct Evaluation {
    tolerance: f64,
    steps: usize,
}

impl Evaluation {
    pub(super) fn new(tolerance: f64) -> Self {
        Self { tolerance, steps: 0 }
    }

    /// Whether the evaluation was ended, so that its result means nothing.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// The value of a node; `scopes` begin with the innermost.
    pub(super) fn evaluate<'a>(&mut self, node: &'a Node, scopes: &[Values<'a>]) -> Operand<'a> {
        self.steps += 1;
        if self.is_exhausted() {
            return Operand::Null;
        }
        match node {
            Node::Null => Operand::Null,
            Node::Number(number) => Operand::Number(*number),
            Node::Text(text) => Operand::Text(text),
            Node::Bool(value) => Operand::Bool(*value),
            Node::Name(name) => match scopes.get(name.scope) {
                Some(Values::Fields(fields)) => Operand::of(fields.get(&name.name), name.is_date),
                _ => Operand::Null,
            },
            Node::Item { is_date } => match scopes.first() {
                Some(Values::Item(value)) => Operand::of(Some(value), *is_date),
                _ => Operand::Null,
            },
            Node::Member(object, name) => match self.evaluate(object, scopes) {
                Operand::Object(parts) => Operand::of(parts.get(&name.name), name.is_date),
                _ => Operand::Null,
            },
            Node::Negative(inner) => {
                self.evaluate(inner, scopes).number().map_or(Operand::Null, |number| Operand::Number(-number))
            }
            Node::Not(inner) => match self.evaluate(inner, scopes) {
                Operand::Bool(value) => Operand::Bool(!value),
                _ => Operand::Null,
            },
            Node::Binary(operator, left, right) => self.binary(*operator, left, right, scopes),
            Node::Call(function, arguments) => {
                let values: Vec<Operand<'a>> =
                    arguments.iter().map(|argument| self.evaluate(argument, scopes)).collect();
                call(*function, &values)
            }
            Node::Aggregate(aggregate, list, argument) => self.aggregate(*aggregate, list, argument, scopes),
        }
    }

    fn binary<'a>(
        &mut self,
        operator: Operator,
        left: &'a Node,
        right: &'a Node,
        scopes: &[Values<'a>],
    ) -> Operand<'a> {
        let (left, right) = (self.evaluate(left, scopes), self.evaluate(right, scopes));
        match operator {
            Operator::And => logical(&left, &right, false),
            Operator::Or => logical(&left, &right, true),
            operator if operator.is_comparison() => {
                let order = left.compare(&right, self.tolerance);
                order.map_or(Operand::Null, |order| Operand::Bool(holds(operator, order)))
            }
            operator => calculate(operator, &left, &right),
        }
    }

    fn aggregate<'a>(
        &mut self,
        aggregate: Aggregate,
        list: &'a Node,
        argument: &'a Node,
        scopes: &[Values<'a>],
    ) -> Operand<'a> {
        let Operand::List(items) = self.evaluate(list, scopes) else { return Operand::Null };
        if aggregate == Aggregate::Count && matches!(argument, Node::Item { .. }) {
            return Operand::Number(items.len() as f64);
        }
        let mut values = Vec::with_capacity(items.len());
        let mut within: Vec<Values<'a>> = Vec::with_capacity(scopes.len() + 1);
        for item in items {
            if self.is_exhausted() {
                return Operand::Null;
            }
            within.clear();
            within.push(item.as_object().map_or(Values::Item(item), Values::Fields));
            within.extend_from_slice(scopes);
            values.push(self.evaluate(argument, &within));
        }
        summarise(aggregate, &values)
    }
}

/// `and` (`decisive` is `false`) and `or` (`true`) with three values.
fn logical<'a>(left: &Operand<'a>, right: &Operand<'a>, decisive: bool) -> Operand<'a> {
    match (left, right) {
        (Operand::Bool(value), _) | (_, Operand::Bool(value)) if *value == decisive => {
            Operand::Bool(decisive)
        }
        (Operand::Bool(left), Operand::Bool(right)) => {
            Operand::Bool(if decisive { *left || *right } else { *left && *right })
        }
        _ => Operand::Null,
    }
}

fn holds(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Equal => order.is_eq(),
        Operator::Unequal => order.is_ne(),
        Operator::Less => order.is_lt(),
        Operator::LessOrEqual => order.is_le(),
        Operator::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn calculate<'a>(operator: Operator, left: &Operand<'a>, right: &Operand<'a>) -> Operand<'a> {
    match (operator, left, right) {
        (Operator::Subtract, Operand::Date(one), Operand::Date(two)) => {
            Operand::Number((*one - *two).num_days() as f64)
        }
        (Operator::Add, Operand::Date(date), Operand::Number(days)) => add_days(*date, *days),
        (Operator::Subtract, Operand::Date(date), Operand::Number(days)) => add_days(*date, -days),
        (_, Operand::Number(one), Operand::Number(two)) => Operand::of_number(match operator {
            Operator::Add => one + two,
            Operator::Subtract => one - two,
            Operator::Multiply => one * two,
            _ => one / two,
        }),
        _ => Operand::Null,
    }
}

fn add_days<'a>(date: NaiveDate, days: f64) -> Operand<'a> {
    // Outside of this range the conversion saturates, and so does no date.
    let delta = TimeDelta::try_days(days.round() as i64);
    delta.and_then(|delta| date.checked_add_signed(delta)).map_or(Operand::Null, Operand::Date)
}

fn call<'a>(function: Function, values: &[Operand<'a>]) -> Operand<'a> {
    let first = values.first().cloned().unwrap_or(Operand::Null);
    match function {
        Function::Present => Operand::Bool(match first {
            Operand::Null => false,
            Operand::List(items) => !items.is_empty(),
            Operand::Text(text) => !text.is_empty(),
            _ => true,
        }),
        Function::Coalesce => {
            values.iter().find(|value| **value != Operand::Null).cloned().unwrap_or(Operand::Null)
        }
        Function::Min => extreme(values, Ordering::Less),
        Function::Max => extreme(values, Ordering::Greater),
        Function::Abs => first.number().map_or(Operand::Null, |number| Operand::Number(number.abs())),
        Function::Round => round(&first, values.get(1)),
        Function::Length => match first {
            Operand::Text(text) => Operand::Number(text.chars().count() as f64),
            _ => Operand::Null,
        },
        Function::Year | Function::Month | Function::Day => match first {
            Operand::Date(date) => Operand::Number(match function {
                Function::Year => f64::from(date.year()),
                Function::Month => f64::from(date.month()),
                _ => f64::from(date.day()),
            }),
            _ => Operand::Null,
        },
    }
}

/// Rounds half away from zero, as invoices do, to a number of decimal places from 0 to 9.
fn round<'a>(number: &Operand<'a>, places: Option<&Operand<'a>>) -> Operand<'a> {
    let places = places.map_or(Some(0.0), Operand::number);
    let (Some(number), Some(places)) = (number.number(), places) else { return Operand::Null };
    let factor = 10_f64.powf(places.round().clamp(0.0, 9.0));
    // 1.005 is a little less than it says in binary, and is meant to be rounded up.
    let scaled = number * factor;
    Operand::of_number((scaled + scaled.signum() * scaled.abs() * f64::EPSILON).round() / factor)
}

/// The smallest or largest value; `Null` where one is missing.
fn extreme<'a>(values: &[Operand<'a>], wanted: Ordering) -> Operand<'a> {
    let mut best: Option<&Operand<'a>> = None;
    for value in values {
        let order = best.map_or(Some(wanted), |best| value.compare(best, 0.0));
        match order {
            None => return Operand::Null,
            Some(order) if order == wanted => best = Some(value),
            Some(_) => {}
        }
    }
    best.cloned().unwrap_or(Operand::Null)
}

/// The aggregate of the entries' values. A sum of entries of which one is missing is missing.
fn summarise<'a>(aggregate: Aggregate, values: &[Operand<'a>]) -> Operand<'a> {
    let sum = || values.iter().map(Operand::number).sum::<Option<f64>>();
    match aggregate {
        Aggregate::Sum => sum().map_or(Operand::Null, Operand::of_number),
        Aggregate::Average => {
            sum().map_or(Operand::Null, |sum| Operand::of_number(sum / values.len() as f64))
        }
        Aggregate::Min => extreme(values, Ordering::Less),
        Aggregate::Max => extreme(values, Ordering::Greater),
        Aggregate::Count => match values.contains(&Operand::Null) {
            true => Operand::Null,
            false => {
                Operand::Number(values.iter().filter(|value| **value == Operand::Bool(true)).count() as f64)
            }
        },
        Aggregate::All => values.iter().fold(Operand::Bool(true), |all, value| logical(&all, value, false)),
        Aggregate::Any => values.iter().fold(Operand::Bool(false), |any, value| logical(&any, value, true)),
    }
}
