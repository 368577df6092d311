//! Answers of scripted models, weak and strong: the truth of a paper in their own words, with the faults of
//! models at a rate.

use serde_json::{Map, Value};

use crate::papers::{Half, Paper};
use crate::random::Random;
use crate::values::make;
use crate::words::{LAST, Make};

/// What a model does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Another value of the paper that is of the same kind.
    Neighbour,
    /// A digit, or else a letter, is another.
    Slip,
    /// Made up.
    Invented,
    /// The end is missing.
    Cut,
    /// Another value of the paper in the place of what it does not say.
    Filled,
    /// Two fields have each other's values.
    Swapped,
    /// A sign or a decimal place is lost.
    Magnitude,
    /// The label, or words beside it.
    Label,
    /// That of another row, or of another column.
    Cell,
    /// What stands behind it comes along.
    Joined,
    /// Another field's value once more.
    Repeated,
    /// Something made up in the place of what the paper does not say.
    MadeUp,
    /// The value that the paper prints next, of the same kind.
    Next,
    /// A number without its fraction, a date at the beginning of its month.
    Rounded,
    /// Day and month of a date are exchanged; digits of another value are.
    Exchanged,
    /// The words before it come along.
    Prefixed,
    /// One of its words is another.
    Reworded,
}

/// The faults of the models of a half, and of one of two apart parts of the tuned half.
fn faults(half: Half, part: Option<usize>) -> &'static [Fault] {
    use Fault::{
        Cell, Cut, Exchanged, Filled, Invented, Joined, Label, MadeUp, Magnitude, Neighbour, Next, Prefixed,
        Repeated, Reworded, Rounded, Slip, Swapped,
    };
    match (half, part) {
        (Half::Tuned, None) => &[Neighbour, Slip, Invented, Cut, Filled, Neighbour],
        (Half::Tuned, Some(0)) => &[Neighbour, Slip, Filled],
        (Half::Tuned, Some(_)) => &[Neighbour, Invented, Cut],
        (Half::HeldOut, _) => &[Swapped, Magnitude, Label, Cell, Joined, Repeated, MadeUp],
        (Half::Fresh, _) => &[Next, Rounded, Exchanged, Prefixed, Reworded],
    }
}

/// Shares of values that are wrong, from strong models to weak ones.
pub(crate) fn rates(half: Half) -> &'static [f64] {
    match half {
        Half::Tuned => &[0.005, 0.01, 0.03, 0.06, 0.12, 0.25],
        Half::HeldOut => &[0.008, 0.02, 0.037, 0.08, 0.15, 0.2],
        Half::Fresh => &[0.006, 0.015, 0.04, 0.07, 0.14, 0.22],
    }
}

/// How often a wrong value is one that the built-in model reads too, where it is wrong.
const SHARED: f64 = 0.25;

/// An answer; `read` is what the built-in model says of the paper.
pub(crate) fn answer(paper: &Paper, read: &Map<String, Value>, rate: f64, random: &mut Random) -> Value {
    let faults = faults(paper.half, paper.part);
    let mut record = paper.truth.clone();
    let names: Vec<String> = paper.truth.keys().cloned().collect();
    for name in &names {
        let truth = &paper.truth[name];
        match truth {
            Value::Array(rows) => {
                let mut told = rows.clone();
                for at in 0..told.len() {
                    let columns: Vec<String> =
                        rows[at].as_object().into_iter().flat_map(Map::keys).cloned().collect();
                    for column in columns {
                        if random.chance(rate) {
                            let fault = *random.pick(faults);
                            told[at][&column] = cell(rows, at, &column, fault, paper, random);
                        } else {
                            let value = told[at][&column].clone();
                            told[at][&column] = worded(&value, random);
                        }
                    }
                }
                record.insert(name.clone(), Value::from(told));
            }
            // What is not there is left out more often than what is there is misread.
            _ if random.chance(if truth.is_null() { 0.4 * rate } else { rate }) => {
                let shared = read.get(name).filter(|value| !value.is_null() && *value != truth);
                let fault = *random.pick(faults);
                match shared.filter(|_| random.chance(SHARED)) {
                    Some(value) => {
                        record.insert(name.clone(), value.clone());
                    }
                    None => wrong(&mut record, name, fault, paper, random),
                }
            }
            value => {
                record.insert(name.clone(), worded(value, random));
            }
        }
    }
    Value::Object(record)
}

/// The truth as models write it.
fn worded(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::String(text) if is_date(text) && random.chance(0.2) => {
            let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
            Value::from(format!("{}.{}.{}", part(8..10), part(5..7), part(0..4)))
        }
        Value::String(text) if random.chance(0.06) => Value::from(text.to_uppercase()),
        Value::String(text) if random.chance(0.04) => Value::from(text.replace(", ", " ")),
        Value::Number(number) if random.chance(0.1) => Value::from(number.to_string()),
        other => other.clone(),
    }
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(7) == Some(&b'-')
}

/// Whether two values are of one kind.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::String(b)) => {
            let shape = |text: &str| {
                let digits = text.chars().filter(char::is_ascii_digit).count();
                (is_date(text), text.contains('@'), digits == 0, digits * 2 >= text.chars().count())
            };
            shape(a) == shape(b)
        }
        (Value::Number(_), Value::Number(_)) => true,
        (Value::Bool(_), Value::Bool(_)) => true,
        _ => false,
    }
}

fn other(value: &Value, values: &[Value], random: &mut Random) -> Option<Value> {
    let fits: Vec<&Value> = values.iter().filter(|other| *other != value && alike(value, other)).collect();
    (!fits.is_empty()).then(|| (*random.pick(&fits)).clone())
}

/// Makes one field of a record wrong.
fn wrong(record: &mut Map<String, Value>, name: &str, fault: Fault, paper: &Paper, random: &mut Random) {
    let truth = paper.truth[name].clone();
    if truth.is_null() {
        let kind = paper.form[name]["type"].as_str().unwrap_or("string").to_owned();
        let stand_in = match kind.as_str() {
            "date" => make(Make::Date, random),
            "email" => make(Make::Email, random),
            "number" => make(Make::Money(300), random),
            "integer" => make(Make::Count(40), random),
            "boolean" => make(Make::Flag, random),
            _ => make(*random.pick(&[Make::Person, Make::Company, Make::Code("X"), Make::City]), random),
        };
        let own: Vec<Value> = record.values().cloned().collect();
        let value = match fault {
            Fault::Filled | Fault::Neighbour | Fault::Cut | Fault::Next => {
                other(&stand_in, &paper.printed, random)
            }
            Fault::Repeated | Fault::Swapped | Fault::Cell => other(&stand_in, &own, random),
            _ => Some(stand_in.clone()),
        };
        record.insert(name.to_owned(), value.unwrap_or(stand_in));
        return;
    }
    if let Value::Bool(flag) = truth {
        record.insert(name.to_owned(), Value::from(!flag));
        return;
    }
    if let Some(options) = paper.form[name]["enum"].as_array() {
        let value = other(&truth, options, random).unwrap_or(truth);
        record.insert(name.to_owned(), value);
        return;
    }
    if fault == Fault::Swapped {
        let partner = paper
            .truth
            .iter()
            .filter(|(other, value)| {
                *other != name
                    && alike(value, &truth)
                    && **value != truth
                    && paper.form.get(*other).is_some_and(|form| form.get("enum").is_none())
            })
            .map(|(other, value)| (other.clone(), value.clone()))
            .collect::<Vec<_>>();
        if !partner.is_empty() {
            let (other, value) = random.pick(&partner).clone();
            record.insert(name.to_owned(), value);
            record.insert(other, truth);
            return;
        }
    }
    let own: Vec<Value> = paper.truth.values().cloned().collect();
    let value = spoilt(&truth, fault, paper, &own, random);
    record.insert(name.to_owned(), value);
}

fn cell(rows: &[Value], at: usize, column: &str, fault: Fault, paper: &Paper, random: &mut Random) -> Value {
    let truth = &rows[at][column];
    let others: Vec<Value> = match fault {
        // Of another row, or of another column.
        Fault::Cell | Fault::Repeated => rows.iter().map(|row| row[column].clone()).collect(),
        _ => rows[at].as_object().into_iter().flat_map(|row| row.values().cloned()).collect(),
    };
    if matches!(fault, Fault::Cell | Fault::Swapped | Fault::Repeated | Fault::Neighbour)
        && let Some(value) = other(truth, &others, random)
    {
        return value;
    }
    spoilt(truth, fault, paper, &others, random)
}

/// A wrong value in the place of a true one.
fn spoilt(truth: &Value, fault: Fault, paper: &Paper, own: &[Value], random: &mut Random) -> Value {
    let text = truth.as_str().map_or_else(|| truth.to_string(), str::to_owned);
    let number = |text: String| match truth.is_number() {
        true => {
            serde_json::from_str::<Value>(text.trim_start_matches('0')).unwrap_or_else(|_| Value::from(7))
        }
        false => Value::from(text),
    };
    let value = match fault {
        Fault::Neighbour | Fault::Filled => other(truth, &paper.printed, random),
        Fault::Repeated | Fault::Swapped | Fault::Cell => other(truth, own, random),
        Fault::Invented | Fault::MadeUp => Some(invented(truth, random)),
        Fault::Cut => {
            let words: Vec<&str> = text.split(' ').collect();
            match (words.len(), truth.is_number() || is_date(&text)) {
                (2.., _) => Some(number(words[..words.len() / 2 + words.len() % 2].join(" "))),
                (_, false) => {
                    Some(Value::from(text.chars().take(text.chars().count() / 2 + 1).collect::<String>()))
                }
                _ => None,
            }
        }
        Fault::Magnitude if truth.is_number() => {
            let value = truth.as_f64().unwrap_or_default();
            let value = match random.below(3) {
                0 if value < 0.0 => -value,
                0 | 1 => value * 10.0,
                _ => (value * 10.0).round() / 100.0,
            };
            Some(Value::from((value * 100.0).round() / 100.0))
        }
        Fault::Next => {
            let alike: Vec<&Value> = paper.printed.iter().filter(|value| alike(truth, value)).collect();
            let at = alike.iter().position(|value| *value == truth).map_or(0, |at| at + 1);
            alike.get(at).or(alike.first()).map(|value| (*value).clone())
        }
        Fault::Rounded if truth.is_number() => truth.as_f64().map(|value| Value::from(value.round())),
        Fault::Rounded if is_date(&text) => text.get(..8).map(|month| Value::from(format!("{month}01"))),
        Fault::Exchanged if is_date(&text) => {
            let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
            (part(8..10) <= "12")
                .then(|| Value::from(format!("{}-{}-{}", part(0..4), part(8..10), part(5..7))))
        }
        Fault::Exchanged => {
            let mut letters: Vec<char> = text.chars().collect();
            let pairs: Vec<usize> = (1..letters.len())
                .filter(|at| letters[*at] != letters[at - 1])
                .filter(|at| letters[*at].is_ascii_digit() && letters[at - 1].is_ascii_digit())
                .collect();
            (!pairs.is_empty()).then(|| {
                let at = *random.pick(&pairs);
                letters.swap(at, at - 1);
                number(letters.into_iter().collect())
            })
        }
        Fault::Prefixed if truth.is_string() && !is_date(&text) => {
            let before = paper.text.split(&text).next().filter(|before| before.len() < paper.text.len());
            let word = before.and_then(|before| before.split_whitespace().next_back());
            word.map(|word| Value::from(format!("{word} {text}")))
        }
        Fault::Reworded if truth.is_string() && !is_date(&text) => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let at = random.below(words.len());
            words[at] = *random.pick::<&str>(&LAST);
            Some(Value::from(words.join(" ")))
        }
        Fault::Label => {
            let lines: Vec<&str> = paper.text.lines().filter(|line| line.contains(&text)).collect();
            let label = lines.first().and_then(|line| {
                let label = line.split(&text).next()?.trim_matches(|c: char| !c.is_alphanumeric());
                (label.len() > 2 && !truth.is_number() && !is_date(&text)).then(|| Value::from(label))
            });
            label.or_else(|| other(truth, &paper.printed, random))
        }
        Fault::Joined => {
            let after = paper.text.split(&text).nth(1).unwrap_or_default();
            let next: String = after.trim_start().chars().take(12).collect();
            (truth.is_string() && !is_date(&text) && !next.trim().is_empty())
                .then(|| Value::from(format!("{text} {}", next.trim().replace('\n', " "))))
        }
        _ => None,
    };
    value.filter(|value| value != truth).unwrap_or_else(|| number(slipped(&text, random)))
}

fn invented(truth: &Value, random: &mut Random) -> Value {
    match truth {
        Value::Number(number) if number.is_f64() => make(Make::Money(300), random),
        Value::Number(_) => make(Make::Count(90), random),
        Value::String(text) if is_date(text) => make(Make::Date, random),
        Value::String(text) if text.contains('@') => make(Make::Email, random),
        Value::String(text) if text.chars().any(|c| c.is_ascii_digit()) => make(Make::Code("N"), random),
        _ => make(*random.pick(&[Make::Person, Make::Company, Make::City, Make::Phrase]), random),
    }
}

/// One digit, or else one letter, is another.
fn slipped(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let digits: Vec<usize> = (0..letters.len()).filter(|at| letters[*at].is_ascii_digit()).collect();
    let at = if digits.is_empty() { random.below(letters.len()) } else { *random.pick(&digits) };
    if let Some(letter) = letters.get_mut(at) {
        *letter = match letter.to_digit(10) {
            Some(digit) => char::from_digit((digit + 1 + random.below(8) as u32) % 10, 10).unwrap_or('0'),
            None => 'x',
        };
    }
    letters.into_iter().collect()
}
