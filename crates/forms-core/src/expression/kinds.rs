//! Checks an expression against the fields of a form: names, and the kinds of operands.

use std::sync::LazyLock;

use gen_core::suggestions::{format_likely, likely};
use serde_json::{Map, Value};

use super::node::{Aggregate, FieldName, Function, Node, Operator};
use crate::schema::{money_definitions, pointer_token};

/// Fields that an expression can name.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'a> {
    /// Definitions by name; none for the items of a list of plain values.
    pub(crate) definitions: Option<&'a Map<String, Value>>,
    /// Names of the fields above, joined by `/`, with a leading `/`; empty for the top level.
    pub(crate) path: String,
    /// The item of a list of plain values.
    pub(crate) item: Option<&'a Map<String, Value>>,
}

impl<'a> Scope<'a> {
    /// The fields of an object.
    pub(crate) fn of_fields(definitions: &'a Map<String, Value>, path: String) -> Self {
        Self { definitions: Some(definitions), path, item: None }
    }
}

/// The kind of a value.
#[derive(Clone, Debug)]
pub(crate) enum Kind<'a> {
    /// `null` alone, which has every kind.
    Null,
    Number,
    Text,
    Bool,
    Date,
    /// A list with the definition of its items.
    List(&'a Map<String, Value>, String),
    /// An object with its fields.
    Object(&'a Map<String, Value>, String),
}

impl Kind<'_> {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Bool => "true or false",
            Self::Date => "a date",
            Self::List(..) => "a list",
            Self::Object(..) => "an object",
        }
    }

    /// Whether both are of one kind, or `null`.
    pub(crate) fn matches(&self, other: &Kind<'_>) -> bool {
        use Kind::{Bool, Date, Null, Number, Text};
        matches!(
            (self, other),
            (Null, _) | (_, Null) | (Number, Number) | (Text, Text) | (Bool, Bool) | (Date, Date)
        )
    }

    fn is_plain(&self) -> bool {
        !matches!(self, Kind::List(..) | Kind::Object(..))
    }
}

/// The kind of a field's value.
pub(crate) fn kind_of<'a>(definition: &'a Map<String, Value>, path: &str) -> Kind<'a> {
    let text = |key: &str| definition.get(key).and_then(Value::as_str).unwrap_or_default();
    let nested = |key: &str| definition.get(key).and_then(Value::as_object);
    match text("type") {
        // Of any kind. Where a value has another type than the expression needs, the result is unknown.
        "union" => Kind::Null,
        "number" | "integer" => Kind::Number,
        "boolean" => Kind::Bool,
        // Less precise dates are compared as texts.
        "date" if matches!(text("precision"), "year" | "quarter" | "month") => Kind::Text,
        "date" => Kind::Date,
        "money" => Kind::Object(money_definitions(), path.to_owned()),
        "map" => Kind::Object(no_definitions(), path.to_owned()),
        "string" if text("format") == "date" => Kind::Date,
        "array" => nested("items").map_or(Kind::Null, |item| Kind::List(item, path.to_owned())),
        "object" => nested("properties").map_or(Kind::Null, |parts| Kind::Object(parts, path.to_owned())),
        _ => Kind::Text,
    }
}

/// The parts of a map, whose names no form states.
fn no_definitions() -> &'static Map<String, Value> {
    static NONE: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
    &NONE
}

/// The check of an expression.
#[derive(Debug, Default)]
pub(super) struct KindCheck {
    /// Paths of the fields that the expression names, as [`Scope::path`].
    pub(super) fields: Vec<String>,
}

type KindResult<'a> = Result<Kind<'a>, String>;

impl KindCheck {
    /// The kind of a node; sets where its names are looked up. `scopes` begin with the innermost.
    pub(super) fn check<'a>(&mut self, node: &mut Node, scopes: &[Scope<'a>]) -> KindResult<'a> {
        match node {
            Node::Null => Ok(Kind::Null),
            Node::Number(_) => Ok(Kind::Number),
            Node::Text(_) => Ok(Kind::Text),
            Node::Bool(_) => Ok(Kind::Bool),
            Node::Name(name) => self.name(name, scopes),
            Node::Item { is_date } => match scopes.first().and_then(|scope| scope.item) {
                Some(item) => {
                    let kind = kind_of(item, "");
                    *is_date = matches!(kind, Kind::Date);
                    Ok(kind)
                }
                None => {
                    Err("the function needs to know which value of an entry, such as rows.sum(amount)"
                        .to_owned())
                }
            },
            Node::Member(object, name) => self.member(object, name, scopes),
            Node::Negative(inner) => self.expect(inner, scopes, &Kind::Number, "-"),
            Node::Not(inner) => self.expect(inner, scopes, &Kind::Bool, "not"),
            Node::Binary(operator, left, right) => self.binary(*operator, left, right, scopes),
            Node::Call(function, arguments) => self.call(*function, arguments, scopes),
            Node::Aggregate(aggregate, list, argument) => self.aggregate(*aggregate, list, argument, scopes),
        }
    }

    fn name<'a>(&mut self, name: &mut FieldName, scopes: &[Scope<'a>]) -> KindResult<'a> {
        let found = scopes.iter().enumerate().find_map(|(at, scope)| {
            let definition = scope.definitions?.get(&name.name)?.as_object()?;
            Some((at, format!("{}/{}", scope.path, pointer_token(&name.name)), definition))
        });
        let Some((scope, path, definition)) = found else {
            let known = scopes.iter().filter_map(|scope| scope.definitions).flat_map(Map::keys);
            let meant = format_likely(likely(&name.name, known.map(String::as_str)));
            return Err(format!("'{}' is not a field here{meant}", name.name));
        };
        let kind = kind_of(definition, &path);
        (name.scope, name.is_date) = (scope, matches!(kind, Kind::Date));
        self.fields.push(path);
        Ok(kind)
    }

    fn member<'a>(
        &mut self,
        object: &mut Node,
        member: &mut FieldName,
        scopes: &[Scope<'a>],
    ) -> KindResult<'a> {
        let name = member.name.as_str();
        match self.check(object, scopes)? {
            Kind::Object(parts, path) => {
                let Some(definition) = parts.get(name).and_then(Value::as_object) else {
                    let meant = format_likely(likely(name, parts.keys().map(String::as_str)));
                    return Err(format!("'{name}' is not a part of the object{meant}"));
                };
                let path = format!("{path}/{}", pointer_token(name));
                let kind = kind_of(definition, &path);
                member.is_date = matches!(kind, Kind::Date);
                self.fields.push(path);
                Ok(kind)
            }
            Kind::List(..) if Aggregate::of_name(name).is_some() => {
                Err(format!("'{name}' is a function: write {name}(…)"))
            }
            other => Err(format!("'{name}' is asked of {}, which has no parts", other.name())),
        }
    }

    /// Checks that a node is of a kind, which is the result's.
    fn expect<'a>(
        &mut self,
        node: &mut Node,
        scopes: &[Scope<'a>],
        kind: &Kind<'a>,
        user: &str,
    ) -> KindResult<'a> {
        let found = self.check(node, scopes)?;
        if !found.matches(kind) {
            return Err(format!("'{user}' needs {}, not {}", kind.name(), found.name()));
        }
        Ok(kind.clone())
    }

    fn binary<'a>(
        &mut self,
        operator: Operator,
        left: &mut Node,
        right: &mut Node,
        scopes: &[Scope<'a>],
    ) -> KindResult<'a> {
        use Operator::{Add, And, Or, Subtract};
        let sign = operator.sign();
        if matches!(operator, And | Or) {
            self.expect(left, scopes, &Kind::Bool, sign)?;
            return self.expect(right, scopes, &Kind::Bool, sign);
        }
        let kinds = (self.check(left, scopes)?, self.check(right, scopes)?);
        let refused = Err(format!("'{sign}' does not go with {} and {}", kinds.0.name(), kinds.1.name()));
        if operator.is_comparison() {
            // A date is compared with a date that is written as a text.
            let is_dated = matches!(kinds, (Kind::Date, Kind::Text) | (Kind::Text, Kind::Date));
            let is_ordered = !matches!(kinds, (Kind::Bool, _) | (_, Kind::Bool));
            let is_equality = matches!(operator, Operator::Equal | Operator::Unequal);
            return match kinds.0.matches(&kinds.1) && (is_equality || is_ordered) || is_dated {
                true => Ok(Kind::Bool),
                false => refused,
            };
        }
        match (operator, kinds) {
            (Add | Subtract, (Kind::Date, Kind::Number | Kind::Null)) => Ok(Kind::Date),
            (Subtract, (Kind::Date, Kind::Date)) => Ok(Kind::Number),
            (_, (Kind::Number | Kind::Null, Kind::Number | Kind::Null)) => Ok(Kind::Number),
            _ => refused,
        }
    }

    fn call<'a>(
        &mut self,
        function: Function,
        arguments: &mut [Node],
        scopes: &[Scope<'a>],
    ) -> KindResult<'a> {
        let name = function.name();
        let (least, most) = match function {
            Function::Min | Function::Max | Function::Coalesce => (2, usize::MAX),
            Function::Round => (1, 2),
            _ => (1, 1),
        };
        if arguments.len() < least || arguments.len() > most {
            return Err(format!("'{name}' has the wrong number of arguments"));
        }
        let mut kinds = Vec::with_capacity(arguments.len());
        for argument in arguments {
            kinds.push(self.check(argument, scopes)?);
        }
        let wanted = match function {
            Function::Abs | Function::Round => Some(Kind::Number),
            Function::Year | Function::Month | Function::Day => Some(Kind::Date),
            Function::Length => Some(Kind::Text),
            _ => None,
        };
        if let Some((wanted, other)) = wanted
            .and_then(|wanted| kinds.iter().find(|kind| !kind.matches(&wanted)).map(|other| (wanted, other)))
        {
            return Err(format!("'{name}' needs {}, not {}", wanted.name(), other.name()));
        }
        match function {
            Function::Present => Ok(Kind::Bool),
            Function::Min | Function::Max | Function::Coalesce => {
                let first = kinds.iter().find(|kind| !matches!(kind, Kind::Null)).cloned();
                let first = first.unwrap_or(Kind::Null);
                let is_ordered = matches!(first, Kind::Number | Kind::Date | Kind::Null);
                let is_fit = first.is_plain() && (is_ordered || function == Function::Coalesce);
                match is_fit && kinds.iter().all(|kind| kind.matches(&first)) {
                    true => Ok(first),
                    false => Err(format!("'{name}' needs values of one kind")),
                }
            }
            _ => Ok(Kind::Number),
        }
    }

    fn aggregate<'a>(
        &mut self,
        aggregate: Aggregate,
        list: &mut Node,
        argument: &mut Node,
        scopes: &[Scope<'a>],
    ) -> KindResult<'a> {
        let name = aggregate.name();
        let (item, path) = match self.check(list, scopes)? {
            Kind::List(item, path) => (item, path),
            other => return Err(format!("'{name}' needs a list, not {}", other.name())),
        };
        if aggregate == Aggregate::Count && matches!(argument, Node::Item { .. }) {
            return Ok(Kind::Number);
        }
        let parts = item.get("properties").and_then(Value::as_object);
        let own = Scope { definitions: parts, path, item: parts.is_none().then_some(item) };
        let within: Vec<Scope<'a>> = std::iter::once(own).chain(scopes.iter().cloned()).collect();
        let found = self.check(argument, &within)?;
        match aggregate {
            Aggregate::Sum | Aggregate::Average if found.matches(&Kind::Number) => Ok(Kind::Number),
            Aggregate::Min | Aggregate::Max if matches!(found, Kind::Number | Kind::Date) => Ok(found),
            Aggregate::Count if found.matches(&Kind::Bool) => Ok(Kind::Number),
            Aggregate::All | Aggregate::Any if found.matches(&Kind::Bool) => Ok(Kind::Bool),
            Aggregate::Sum | Aggregate::Average => {
                Err(format!("'{name}' needs a number of each entry, not {}", found.name()))
            }
            Aggregate::Min | Aggregate::Max => {
                Err(format!("'{name}' needs a number or a date of each entry, not {}", found.name()))
            }
            _ => Err(format!("'{name}' needs a condition, not {}", found.name())),
        }
    }
}
