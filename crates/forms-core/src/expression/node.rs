//! The syntax tree of an expression.

/// A node of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// The literal that has every kind.
    Null,
    /// A literal number.
    Number(f64),
    /// A literal text.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A field by its name.
    Name(FieldName),
    /// The item of a list of plain values, inside an aggregate without an argument.
    Item {
        /// Whether the items are dates written as texts.
        is_date: bool,
    },
    /// A field of an object.
    Member(Box<Node>, FieldName),
    /// `-` before a number.
    Negative(Box<Node>),
    /// `not` before a condition.
    Not(Box<Node>),
    /// An operation on two operands.
    Binary(Operator, Box<Node>, Box<Node>),
    /// A call of a function.
    Call(Function, Vec<Node>),
    /// An aggregate over the entries of a list, with the expression that is evaluated for each entry.
    Aggregate(Aggregate, Box<Node>, Box<Node>),
}

/// A field's name, and where it is looked up.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldName {
    pub(super) name: String,
    /// Index of the scope, from the innermost. The check of kinds sets it.
    pub(super) scope: usize,
    /// Whether the value is a date written as a text.
    pub(super) is_date: bool,
}

impl FieldName {
    /// A name that the check of kinds has not seen yet.
    pub(super) fn new(name: String) -> Self {
        Self { name, scope: 0, is_date: false }
    }
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Operator {
    /// Whether it compares two values.
    pub(super) fn is_comparison(self) -> bool {
        use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, Unequal};
        matches!(self, Equal | Unequal | Less | LessOrEqual | Greater | GreaterOrEqual)
    }

    /// As it is written.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Or => "or",
            Self::And => "and",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
        }
    }
}

/// A function of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Abs,
    Round,
    Min,
    Max,
    Coalesce,
    Length,
    Present,
    Year,
    Month,
    Day,
}

impl Function {
    const ALL: [(&'static str, Self); 10] = [
        ("abs", Self::Abs),
        ("round", Self::Round),
        ("min", Self::Min),
        ("max", Self::Max),
        ("coalesce", Self::Coalesce),
        ("length", Self::Length),
        ("present", Self::Present),
        ("year", Self::Year),
        ("month", Self::Month),
        ("day", Self::Day),
    ];

    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(name, _)| *name)
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, function)| *function)
    }

    /// As it is written before its arguments.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }
}

/// A function of a list's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    Sum,
    Average,
    Min,
    Max,
    Count,
    All,
    Any,
}

impl Aggregate {
    const ALL: [(&'static str, Self); 7] = [
        ("sum", Self::Sum),
        ("avg", Self::Average),
        ("min", Self::Min),
        ("max", Self::Max),
        ("count", Self::Count),
        ("all", Self::All),
        ("any", Self::Any),
    ];

    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().map(|(name, _)| *name)
    }

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, aggregate)| *aggregate)
    }

    /// As it is written before its arguments.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, aggregate)| *aggregate == self).map_or("", |(name, _)| name)
    }
}
