//! Values of papers: what is true, and how it is printed.

use serde_json::Value;

use crate::random::Random;
use crate::words::{
    CITIES, FIRMS, FIRST, FLAGS, FORMS_OF_FIRMS, Item, LAST, Make, SENTENCES, SORTS, STREETS, THINGS,
    TRADES_OF_FIRMS,
};

/// How a paper says yes and no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flags {
    /// A word beside the label.
    Words,
    /// Two boxes beside the label, one before each word.
    Boxes,
    /// A box before the label, ticked or not.
    Ticked,
    /// A sentence that names it, and denies it or not.
    Sentences,
}

/// How a paper prints numbers, dates, and yes and no.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) language: usize,
    date: usize,
    flags: Flags,
    /// By how many letters those of labels are moved on, so that no vocabulary knows them; 0 for none.
    moved: usize,
}

impl Style {
    /// A style of a language; in a share of `strange` the labels are in words that nobody knows.
    pub(crate) fn new(language: usize, flags: &[Flags], strange: f64, random: &mut Random) -> Self {
        let (date, flags) = (random.below(3), *random.pick(flags));
        let moved = if random.chance(strange) { 1 + random.below(4) } else { 0 };
        Self { language, date, flags, moved }
    }

    /// The label of a field as the paper prints it.
    pub(crate) fn label(&self, field: &Item) -> String {
        field.label(self.language).chars().map(|letter| moved(letter, self.moved)).collect()
    }

    /// Whether values of a kind stand beside their labels, and not in lines of their own.
    pub(crate) fn is_beside(&self, make: Make) -> bool {
        make != Make::Flag || matches!(self.flags, Flags::Words | Flags::Boxes)
    }

    /// Yes or no in a line of its own.
    pub(crate) fn statement(&self, label: &str, flag: bool) -> String {
        let (yes, no) = SENTENCES[self.language];
        let sentence = if flag { yes } else { no };
        match self.flags {
            Flags::Sentences if !sentence.is_empty() => sentence.replace("{}", label),
            _ => format!("{} {label}", if flag { "[x]" } else { "[ ]" }),
        }
    }

    /// As the paper prints it.
    pub(crate) fn print(&self, make: Make, value: &Value) -> String {
        match (make, value) {
            (Make::Money(_), Value::Number(number)) => self.money(number.as_f64().unwrap_or_default()),
            (Make::Percent, Value::Number(number)) => format!("{number} %"),
            (Make::Date, Value::String(iso)) => self.date(iso),
            (Make::Flag, Value::Bool(flag)) => {
                let (yes, no) = FLAGS[self.language];
                match (self.flags, *flag) {
                    (Flags::Boxes, true) => format!("[x] {yes} [ ] {no}"),
                    (Flags::Boxes, false) => format!("[ ] {yes} [x] {no}"),
                    (_, flag) => if flag { yes } else { no }.to_owned(),
                }
            }
            (_, Value::String(text)) => text.clone(),
            (_, other) => other.to_string(),
        }
    }

    fn money(&self, value: f64) -> String {
        let (thousands, point) = match self.language {
            0 => (",", "."),
            2 | 6 | 8 | 9 => (" ", ","),
            _ => (".", ","),
        };
        let cents = (value.abs() * 100.0).round() as u64;
        let mut whole = (cents / 100).to_string();
        let mut at = whole.len();
        while at > 3 {
            at -= 3;
            whole.insert_str(at, thousands);
        }
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{whole}{point}{:02}", cents % 100)
    }

    fn date(&self, iso: &str) -> String {
        const MONTHS: [&str; 12] =
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let part = |range: std::ops::Range<usize>| iso.get(range).unwrap_or_default();
        let (year, month, day) = (part(0..4), part(5..7), part(8..10));
        let named = || MONTHS[month.parse::<usize>().unwrap_or(1).clamp(1, 12) - 1];
        match (self.date, self.language) {
            (0, _) | (_, 8) => iso.to_owned(),
            (1, 0) => format!("{} {} {year}", day.trim_start_matches('0'), named()),
            (_, 1 | 6) => format!("{day}.{month}.{year}"),
            (_, 9) => format!("{}. {}. {year}", day.trim_start_matches('0'), month.trim_start_matches('0')),
            (_, 5) => format!("{day}-{month}-{year}"),
            _ => format!("{day}/{month}/{year}"),
        }
    }
}

/// A letter so many further among the vowels, or among the others.
fn moved(letter: char, by: usize) -> char {
    let among = |letters: &str| {
        let at = letters.find(letter.to_ascii_lowercase())?;
        let next = char::from(*letters.as_bytes().get((at + by) % letters.len())?);
        Some(if letter.is_ascii_uppercase() { next.to_ascii_uppercase() } else { next })
    };
    among("aeiou").or_else(|| among("bcdfghjklmnpqrstvwxz")).unwrap_or(letter)
}

/// A true value.
pub(crate) fn make(make: Make, random: &mut Random) -> Value {
    let digits = |random: &mut Random, count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + random.below(10) as u8)).collect()
    };
    match make {
        Make::Company => Value::from(format!(
            "{} {} {}",
            random.pick(&FIRMS),
            random.pick(&TRADES_OF_FIRMS),
            random.pick(&FORMS_OF_FIRMS)
        )),
        Make::Person => Value::from(format!("{} {}", random.pick(&FIRST), random.pick(&LAST))),
        Make::Address => {
            let street = *random.pick(&STREETS);
            Value::from(format!("{street}, {} {}", 10_000 + random.below(89_999), random.pick(&CITIES)))
        }
        Make::City => Value::from(*random.pick(&CITIES)),
        Make::Code(prefix) => {
            let count = 4 + random.below(4);
            Value::from(format!("{prefix}{}", digits(random, count)))
        }
        Make::Iban => {
            let groups: Vec<String> = (0..4).map(|_| digits(random, 4)).collect();
            Value::from(format!("DE{} {} {}", digits(random, 2), groups.join(" "), digits(random, 2)))
        }
        Make::Email => {
            let (first, firm) = (random.pick(&FIRST).to_lowercase(), random.pick(&FIRMS).to_lowercase());
            Value::from(format!("{first}.{}@{firm}.example", random.pick(&LAST).to_lowercase()))
        }
        Make::Phone => Value::from(format!("+{} {} {}", 31 + random.below(20), 100 + random.below(800), {
            let count = 6;
            digits(random, count)
        })),
        Make::Date => Value::from(format!(
            "20{:02}-{:02}-{:02}",
            18 + random.below(8),
            1 + random.below(12),
            1 + random.below(28)
        )),
        Make::Money(about) => {
            let about = about.max(10) as usize;
            Value::from((about * 20 + random.below(about * 130)) as f64 / 100.0)
        }
        Make::Count(most) => Value::from(1 + random.below(most as usize)),
        Make::Percent => Value::from(*random.pick(&[5, 7, 8, 19, 20, 21, 22, 23])),
        Make::Phrase => Value::from(format!("{} {}", random.pick(&THINGS), random.pick(&SORTS))),
        Make::Choice(options) => Value::from(*random.pick(options)),
        Make::Flag => Value::from(random.chance(0.5)),
    }
}
