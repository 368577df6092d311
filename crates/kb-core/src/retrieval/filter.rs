//! Filters on the attributes of items: grammar and semantics. Pure.
//!
//! A filter is an object. `{"field": value}` and `{"field": {"eq": value}}` match an equal value; `ne`, `gt`,
//! `gte`, `lt`, `lte`, `in` and `nin` are the other comparisons. Several comparisons of a field, and several
//! fields, must all hold. `{"and": [filters]}` and `{"or": [filters]}` combine, `{"not": filter}` negates. Each keyword may
//! have a `$` prefix.
//!
//! Dots in a field's name are path separators, unless there is a key with that name. A list matches when one
//! element does. Numbers compare with numbers and texts with texts, by code points; other types have no
//! order. A missing field equals nothing, so `ne` and `nin` hold.
//!
//! `$file`, `$title`, `$created`, `$updated`, `$language` and `$source` are not of the meta but of the item.

use std::cmp::Ordering;

use serde_json::Value;
use shared_core::Violation;

use super::field_name::FieldName;
use super::item_matcher::ItemMatcher;
use super::values::{Values, equal, order};
use crate::ItemAttributes;
use crate::service::rules::MAX_FIELD;

/// Maximum nesting of filters. Protects the stack.
const MAX_DEPTH: usize = 10;
/// Maximum comparisons and values of a filter. Protects time.
const MAX_SIZE: usize = 2_000;
/// Maximum bytes of a serialized filter. Protects memory.
const MAX_BYTES: usize = 65_536;
/// Maximum bytes of a text that is compared. Protects time.
const MAX_TEXT: usize = 16_384;
/// Maximum violations that are reported. Protects memory.
const MAX_TOLD: usize = 20;

/// A parsed filter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Filter {
    /// All of them match.
    All(Vec<Filter>),
    /// One of them matches.
    Any(Vec<Filter>),
    /// It does not match.
    Not(Box<Filter>),
    /// A predicate on a field.
    Field(FieldName, Predicate),
    /// It has what the syntax of the query demands.
    Item(ItemMatcher),
}

/// The predicate on a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Predicate {
    /// Equal, or not equal.
    Equal(Value, bool),
    /// One of these, or none of these.
    OneOf(Values, bool),
    /// An order comparison.
    Order(Comparison, Value),
}

/// The wanted order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Greater,
    AtLeast,
    Less,
    AtMost,
}

impl Filter {
    /// Parses a filter; violations have paths under `path`.
    pub(crate) fn parse(value: &Value, path: &str) -> Result<Self, Vec<Violation>> {
        FilterParser { wrong: Vec::new(), room: MAX_SIZE }.parse(value, path, MAX_DEPTH)
    }

    /// Whether an item matches. `steps` counts the visited values.
    pub(crate) fn fits(&self, item: &ItemAttributes, steps: &mut u64) -> bool {
        match self {
            Self::All(filters) => filters.iter().all(|filter| filter.fits(item, steps)),
            Self::Any(filters) => filters.iter().any(|filter| filter.fits(item, steps)),
            Self::Not(filter) => !filter.fits(item, steps),
            Self::Field(name, test) => {
                let (holds, visited) = name.with_values(item, |values| test.holds(values));
                *steps += visited;
                holds
            }
            Self::Item(matcher) => {
                *steps += 1;
                matcher.fits(item)
            }
        }
    }
}

/// Checks a filter that is to be combined with another one; violations have paths under `path`.
///
/// # Errors
/// The rules that it breaks.
pub fn check_filter(filter: &Value, path: &str) -> Result<(), Vec<Violation>> {
    let reader = FilterParser { wrong: Vec::new(), room: MAX_SIZE };
    reader.parse(filter, path, MAX_DEPTH - 1).map(drop)
}

impl Predicate {
    /// Whether the predicate holds for the values of a field: none, its value, or its elements too.
    fn holds(&self, values: &[&Value]) -> bool {
        match self {
            Self::Equal(wanted, holds) => values.iter().any(|value| equal(value, wanted)) == *holds,
            Self::OneOf(wanted, holds) => values.iter().any(|value| wanted.contain(value)) == *holds,
            Self::Order(bound, limit) => {
                values.iter().any(|value| order(value, limit).is_some_and(|order| bound.allows(order)))
            }
        }
    }
}

impl Comparison {
    fn allows(self, order: Ordering) -> bool {
        match self {
            Self::Greater => order.is_gt(),
            Self::AtLeast => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
        }
    }
}

struct FilterParser {
    wrong: Vec<Violation>,
    /// Comparisons and values that are still allowed.
    room: usize,
}

impl FilterParser {
    fn parse(mut self, value: &Value, path: &str, depth: usize) -> Result<Filter, Vec<Violation>> {
        if value.to_string().len() > MAX_BYTES {
            self.say(path, format!("a filter has at most {MAX_BYTES} bytes"));
            return Err(self.wrong);
        }
        let filter = self.filter(value, path, depth);
        self.wrong.truncate(MAX_TOLD);
        if self.wrong.is_empty() { Ok(filter) } else { Err(self.wrong) }
    }

    fn say(&mut self, path: &str, message: impl Into<String>) {
        if self.wrong.len() < MAX_TOLD {
            self.wrong.push(Violation::new(path, message));
        }
    }

    /// Counts values against the limit; reports the violation once.
    fn take(&mut self, count: usize, path: &str) -> bool {
        let Some(room) = self.room.checked_sub(count) else {
            if self.wrong.is_empty() {
                self.say(path, format!("a filter has at most {MAX_SIZE} comparisons and values"));
            }
            return false;
        };
        self.room = room;
        true
    }

    fn filter(&mut self, value: &Value, path: &str, depth: usize) -> Filter {
        let mut all = Vec::new();
        let Some(fields) = value.as_object() else {
            self.say(path, "a filter is an object of fields, 'and', 'or' or 'not'");
            return Filter::All(all);
        };
        for (name, value) in fields {
            let path = format!("{path}/{}", escaped(name));
            if !self.take(1, &path) {
                break;
            }
            match word(name) {
                "and" => all.push(Filter::All(self.filters(value, &path, depth))),
                "or" => all.push(Filter::Any(self.filters(value, &path, depth))),
                "not" => all.extend(self.negation(value, &path, depth)),
                _ => self.field(name, value, &path, &mut all),
            }
        }
        Filter::All(all)
    }

    fn filters(&mut self, value: &Value, path: &str, depth: usize) -> Vec<Filter> {
        let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
            self.say(path, "'and' and 'or' take a list of filters");
            return Vec::new();
        };
        let Some(depth) = self.deeper(path, depth) else { return Vec::new() };
        let mut filters = Vec::new();
        for (at, value) in list.iter().enumerate() {
            let path = format!("{path}/{at}");
            if !self.take(1, &path) {
                break;
            }
            filters.push(self.filter(value, &path, depth));
        }
        filters
    }

    fn negation(&mut self, value: &Value, path: &str, depth: usize) -> Option<Filter> {
        let depth = self.deeper(path, depth)?;
        Some(Filter::Not(Box::new(self.filter(value, path, depth))))
    }

    /// The nesting that is left within a filter; `None`, and a violation, when none is.
    fn deeper(&mut self, path: &str, depth: usize) -> Option<usize> {
        let left = depth.checked_sub(1);
        if left.is_none() {
            self.say(path, format!("filters may be nested at most {MAX_DEPTH} levels deep"));
        }
        left
    }

    fn field(&mut self, name: &str, value: &Value, path: &str, all: &mut Vec<Filter>) {
        let name = match FieldName::parse(name) {
            Ok(name) => name,
            Err(rule) => return self.say(path, rule),
        };
        match value {
            Value::Object(tests) if tests.is_empty() => {
                self.say(path, "a comparison is missing, such as 'eq'");
            }
            Value::Object(tests) => {
                for (operator, value) in tests {
                    let path = format!("{path}/{}", escaped(operator));
                    if !self.take(1, &path) {
                        break;
                    }
                    let value = name.operand(value, &path, &mut self.wrong);
                    let test = self.test(operator, &value, &path);
                    all.extend(test.map(|test| Filter::Field(name.clone(), test)));
                }
            }
            Value::Array(_) => self.say(path, "use 'in' to compare with a list of values"),
            value => {
                self.text(value, path);
                let value = name.operand(value, path, &mut self.wrong).into_owned();
                all.push(Filter::Field(name, Predicate::Equal(value, true)));
            }
        }
    }

    fn test(&mut self, operator: &str, value: &Value, path: &str) -> Option<Predicate> {
        let bound = match word(operator) {
            "eq" | "ne" => {
                self.text(value, path);
                return Some(Predicate::Equal(value.clone(), word(operator) == "eq"));
            }
            "in" | "nin" => {
                let values = self.values(value, path)?;
                return Some(Predicate::OneOf(values, word(operator) == "in"));
            }
            "gt" => Comparison::Greater,
            "gte" => Comparison::AtLeast,
            "lt" => Comparison::Less,
            "lte" => Comparison::AtMost,
            _ => {
                let known = "eq, ne, gt, gte, lt, lte, in and nin";
                self.say(path, format!("the comparison must be one of {known}"));
                return None;
            }
        };
        if !matches!(value, Value::Number(_) | Value::String(_)) {
            self.say(path, "'gt', 'gte', 'lt' and 'lte' take a number or a text");
            return None;
        }
        self.text(value, path);
        Some(Predicate::Order(bound, value.clone()))
    }

    fn values(&mut self, value: &Value, path: &str) -> Option<Values> {
        let Some(values) = value.as_array() else {
            self.say(path, "'in' and 'nin' take a list of values");
            return None;
        };
        if !self.take(values.len(), path) {
            return None;
        }
        for (at, value) in values.iter().enumerate() {
            self.text(value, &format!("{path}/{at}"));
        }
        Some(values.iter().cloned().collect())
    }

    /// Checks the size of a text value.
    fn text(&mut self, value: &Value, path: &str) {
        let long = match value {
            Value::String(text) => text.len() > MAX_TEXT,
            Value::Array(_) | Value::Object(_) => value.to_string().len() > MAX_TEXT,
            _ => false,
        };
        if long {
            self.say(path, format!("a value has at most {MAX_TEXT} bytes"));
        }
    }
}

/// A keyword without its optional `$`.
fn word(name: &str) -> &str {
    name.strip_prefix('$').unwrap_or(name)
}

/// A name as part of a JSON pointer (RFC 6901).
fn escaped(name: &str) -> String {
    let short: String = name.chars().take(MAX_FIELD).collect();
    short.replace('~', "~0").replace('/', "~1")
}
