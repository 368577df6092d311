//! What the layouts are made of.

use std::collections::HashMap;

use forms_core::FormSchema;
use serde_json::{Value, json};

use crate::common::form;

/// A group of documents with a list, from a seed and a number of rows.
pub(super) type Layout = fn(u64, usize) -> Case;

/// A group of documents, and what is true of it.
pub(super) struct Case {
    pub(super) form: FormSchema,
    /// Names and lines.
    pub(super) documents: Vec<(String, Vec<String>)>,
    /// What each line says, by its text.
    pub(super) facts: HashMap<String, Vec<Value>>,
    /// Lines that name the row of the next line.
    pub(super) names: HashMap<String, String>,
    /// What a careless model makes of lines that are no rows.
    pub(super) asides: HashMap<String, Value>,
    pub(super) key: Option<&'static str>,
    /// The rows of the group.
    pub(super) truth: Vec<Value>,
}

impl Case {
    /// A list of names and prices: `what` and `price`.
    pub(super) fn prices() -> Self {
        Self::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
            "what": {"type": "string"}, "price": {"type": "number"}}}}}))
    }

    /// A list of goods: `what`, `count`, `price`, `sum`, and `code` where asked for.
    pub(super) fn goods() -> Self {
        Self::of(
            &json!({"number": {"type": "string"}, "rows": {"type": "array", "items": {"type": "object", "properties": {
            "what": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"},
            "sum": {"type": "number"}}}}}),
        )
    }

    pub(super) fn of(schema: &Value) -> Self {
        Self {
            form: form(schema),
            documents: Vec::new(),
            facts: HashMap::new(),
            names: HashMap::new(),
            asides: HashMap::new(),
            key: None,
            truth: Vec::new(),
        }
    }

    /// A line that says so.
    pub(super) fn says(&mut self, line: &str, row: Value) -> String {
        let facts = self.facts.entry(line.to_owned()).or_default();
        if !facts.contains(&row) {
            facts.push(row);
        }
        line.to_owned()
    }

    /// A line that is no row, and the row that a careless model makes of it.
    pub(super) fn aside(&mut self, line: &str, row: Value) -> String {
        self.asides.insert(line.to_owned(), row);
        line.to_owned()
    }

    pub(super) fn add(&mut self, name: &str, lines: Vec<String>) {
        self.documents.push((name.to_owned(), lines));
    }
}

/// Numbers from a seed (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or(0) % most
    }

    pub(super) fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// One thing that is sold.
#[derive(Clone)]
pub(super) struct Good {
    pub(super) what: String,
    pub(super) count: usize,
    pub(super) cents: usize,
}

impl Good {
    pub(super) fn row(&self) -> Value {
        json!({"what": self.what, "count": self.count, "price": self.cents as f64 / 100.0,
               "sum": (self.cents * self.count) as f64 / 100.0})
    }

    pub(super) fn plain(&self, comma: bool) -> String {
        let money = |cents| money(cents, comma);
        format!("{} {} {} {}", self.what, self.count, money(self.cents), money(self.cents * self.count))
    }

    pub(super) fn cells(&self, comma: bool) -> String {
        let money = |cents| money(cents, comma);
        format!(
            "| {} | {} | {} | {} |",
            self.what,
            self.count,
            money(self.cents),
            money(self.cents * self.count)
        )
    }
}

/// `1,234.50`, or `1.234,50`.
pub(super) fn money(cents: usize, comma: bool) -> String {
    let digits = (cents / 100).to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(if comma { '.' } else { ',' });
        }
        text.push(digit);
    }
    format!("{text}{}{:02}", if comma { ',' } else { '.' }, cents % 100)
}

/// Goods, no two of which are the same.
pub(super) fn goods(random: &mut Random, names: &[&str], count: usize) -> Vec<Good> {
    let good = |number: usize| Good {
        what: format!("{} {}", random.pick(names), ["M6", "M8", "blue", "red", "large", "small"][number % 6]),
        count: random.below(40) + 2,
        cents: 105 + number * 37 + random.below(30),
    };
    (0..count).map(good).collect()
}

pub(super) fn total(goods: &[Good]) -> usize {
    goods.iter().map(|good| good.count * good.cents).sum()
}

/// A word for each number, no two the same.
pub(super) fn word(number: usize) -> String {
    let syllables = ["ka", "lo", "mi", "ter", "vu", "san", "ri", "bel"];
    let at = |place: usize| syllables[number / place % 8];
    format!("{}{}{}{}", at(1), at(8), at(64), ["o", "a"][number / 512 % 2])
}
