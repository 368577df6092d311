//! The shape of a line: what kinds of things stand in it, in which order. Rows of one table have few
//! shapes, and running text seldom has them.

use std::collections::{HashMap, HashSet};

use super::fold::{folded, is_word};

/// Bytes of a line that are looked at.
const MAX_LINE: usize = 2_000;
/// Classes of a line that are kept.
const MAX_CLASSES: usize = 60;
/// Digits of a number that says how much; longer ones are codes.
const MAX_WHOLE: usize = 7;
/// Letters of a unit or currency behind a number.
const UNIT: usize = 4;
/// Of a hundred rows, how many must have a cell filled for every row to need it.
const NEEDED: usize = 90;
/// Rows of a shape that tells little, and the share of all in hundredths, from which it tells something.
const USUAL: usize = 10;
const MOST: usize = 60;
/// Words for sums, folded; a line with one among its first words sums up.
const TOTALS: [&str; 17] = [
    "total",
    "totals",
    "subtotal",
    "totale",
    "vat",
    "gst",
    "sst",
    "mwst",
    "ust",
    "tva",
    "summe",
    "zwischensumme",
    "gesamtsumme",
    "gesamtbetrag",
    "rechnungsbetrag",
    "ubertrag",
    "u\u{308}bertrag",
];
/// Words that such a line begins with, though others may have them further on.
const SUMMARIES: [&str; 28] = [
    "sub",
    "sum",
    "grand",
    "net",
    "netto",
    "nett",
    "gross",
    "brutto",
    "tax",
    "taxes",
    "umsatzsteuer",
    "mehrwertsteuer",
    "iva",
    "balance",
    "carried",
    "brought",
    "amount",
    "rounding",
    "page",
    "seite",
    "gesamt",
    "endbetrag",
    "saldo",
    "importe",
    "sous",
    "montant",
    "somme",
    "bill",
];

/// What kind of thing a token or a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Class {
    Empty,
    Words,
    Code,
    Whole,
    Amount,
    Date,
}

/// The shape of a line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// A row of a Markdown table, by cells.
    Cells(Vec<Class>),
    /// A printed line, by tokens; words that follow each other are one.
    Line(Vec<Class>),
}

impl Shape {
    /// The shape of a line; `None` where nothing stands in it, and for what parts a table from its head.
    pub(crate) fn of(line: &str) -> Option<Self> {
        let line = line.get(..line.floor_char_boundary(MAX_LINE)).unwrap_or_default().trim();
        if let Some(inside) = line.strip_prefix('|') {
            let inside = inside.strip_suffix('|').unwrap_or(inside);
            if inside.chars().all(|c| matches!(c, '-' | ':' | '|' | ' ')) {
                return None;
            }
            return Some(Self::Cells(inside.split('|').take(MAX_CLASSES).map(cell).collect()));
        }
        let mut classes: Vec<Class> = Vec::new();
        let mut last = "";
        for token in line.split_whitespace() {
            let Some(class) = class(token) else { continue };
            last = token;
            if (class == Class::Words && classes.last() == Some(&Class::Words))
                || classes.len() >= MAX_CLASSES
            {
                continue;
            }
            classes.push(class);
        }
        let unit = classes.len() > 1 && classes.last() == Some(&Class::Words) && last.chars().count() <= UNIT;
        if unit {
            classes.pop();
        }
        (!classes.is_empty()).then_some(Self::Line(classes))
    }

    /// Whether a line like this tells more than that there is text: one of a table, or with two things
    /// that are not words.
    pub(crate) fn is_telling(&self) -> bool {
        match self {
            Self::Cells(cells) => cells.len() > 1,
            Self::Line(classes) => classes.iter().filter(|class| **class != Class::Words).count() > 1,
        }
    }

    /// Whether there is nothing but words.
    pub(crate) fn is_words(&self) -> bool {
        matches!(self, Self::Line(classes) if classes.iter().all(|class| *class == Class::Words))
    }

    /// How a line begins and what numbers it ends with, where that is telling.
    fn ends(&self) -> Option<(Class, &[Class])> {
        let Self::Line(classes) = self else { return None };
        let is_number = |class: &&Class| matches!(class, Class::Whole | Class::Amount | Class::Date);
        let count = classes.iter().rev().take_while(is_number).count();
        let (head, tail) = (*classes.first()?, classes.get(classes.len() - count..)?);
        (count > 1 || (count == 1 && head != Class::Words && classes.len() > 1)).then_some((head, tail))
    }

    /// Whether two lines that follow each other may be rows of one table.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Cells(own), Self::Cells(others)) => own.len() == others.len(),
            (Self::Line(_), Self::Line(_)) => {
                (self == other && self.is_telling()) || (self.ends().is_some() && self.ends() == other.ends())
            }
            _ => false,
        }
    }
}

/// Whether a line sums up what stands above it, by its first words.
pub(crate) fn is_summary(line: &str) -> bool {
    let words = line.split(|c: char| !is_word(c)).filter(|word| word.chars().any(char::is_alphabetic));
    words.take(3).enumerate().any(|(at, word)| {
        let word = if word.len() <= 40 { folded(word) } else { return false };
        TOTALS.contains(&word.as_str()) || (at == 0 && SUMMARIES.contains(&word.as_str()))
    })
}

fn cell(text: &str) -> Class {
    let mut classes = text.split_whitespace().filter_map(class);
    let Some(first) = classes.next() else { return Class::Empty };
    match classes.next() {
        None => first,
        // `1 234,50`, `EUR 5.00`, `12 March 2024`, `3 pcs`: a number is what makes the difference.
        Some(second) if first.max(second) >= Class::Whole && classes.count() < 2 => first.max(second),
        Some(_) => Class::Words,
    }
}

/// The class of a token; `None` for signs alone.
fn class(token: &str) -> Option<Class> {
    let is_percent = token.ends_with('%');
    let token = token.trim_matches(|c| !is_word(c));
    let letters = token.chars().take_while(|c| c.is_alphabetic()).count();
    if token.is_empty() {
        return None;
    }
    // `RM9.00`, `EUR5`.
    let amount =
        if (1..=3).contains(&letters) { token.trim_start_matches(char::is_alphabetic) } else { token };
    let groups: Vec<&str> = amount.split(['.', ',', '\'', '’', '/', '-']).take(8).collect();
    let is_numeric =
        groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    if !is_numeric {
        return Some(if token.chars().any(char::is_numeric) { Class::Code } else { Class::Words });
    }
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    Some(match lengths.as_slice() {
        [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2] => Class::Date,
        _ if amount.contains(['/', '-']) => Class::Code,
        [_] if is_percent => Class::Amount,
        [length] if letters > 0 || *length > MAX_WHOLE => Class::Code,
        [_] => Class::Whole,
        _ => Class::Amount,
    })
}

/// The shapes of lines that are known to be rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowShapes {
    /// How many lines were learned from.
    count: usize,
    lines: HashSet<Vec<Class>>,
    /// How often each shape was seen that tells little.
    plain: HashMap<Vec<Class>, usize>,
    ends: HashSet<(Class, Vec<Class>)>,
    /// By number of columns: how many rows, and for each column how often it has each class.
    tables: HashMap<usize, (usize, Vec<HashMap<Class, usize>>)>,
}

impl RowShapes {
    pub(crate) fn learn(&mut self, shape: &Shape) {
        self.count += 1;
        match shape {
            Shape::Line(classes) => {
                if shape.is_telling() {
                    self.lines.insert(classes.clone());
                } else {
                    *self.plain.entry(classes.clone()).or_default() += 1;
                }
                self.ends.extend(shape.ends().map(|(head, tail)| (head, tail.to_vec())));
            }
            Shape::Cells(cells) => {
                let (rows, columns) =
                    self.tables.entry(cells.len()).or_insert_with(|| (0, vec![HashMap::new(); cells.len()]));
                *rows += 1;
                for (column, class) in columns.iter_mut().zip(cells) {
                    *column.entry(*class).or_default() += 1;
                }
            }
        }
    }

    /// Learns what another has learned.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.count += other.count;
        self.lines.extend(other.lines.iter().cloned());
        self.ends.extend(other.ends.iter().cloned());
        for (classes, times) in &other.plain {
            *self.plain.entry(classes.clone()).or_default() += times;
        }
        for (width, (rows, columns)) in &other.tables {
            let (own, known) = self.tables.entry(*width).or_insert_with(|| (0, vec![HashMap::new(); *width]));
            *own += rows;
            for (column, classes) in known.iter_mut().zip(columns) {
                classes.iter().for_each(|(class, times)| *column.entry(*class).or_default() += times);
            }
        }
    }

    /// How many rows it knows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether rows are usually nothing but words, so that only those beside rows can be rows, too.
    pub(crate) fn is_of_words(&self) -> bool {
        self.is_usual(&[Class::Words])
    }

    /// Whether a shape that tells little is that of many rows, and of most.
    fn is_usual(&self, classes: &[Class]) -> bool {
        self.plain.get(classes).is_some_and(|times| *times >= USUAL && times * 100 >= self.count * MOST)
    }

    /// Whether a line looks like one of the rows: each cell that nearly all rows fill is filled with what
    /// stands there in others; a printed line has the same classes, or the same beginning and the same
    /// numbers at its end.
    pub(crate) fn knows(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Line(classes) => {
                self.lines.contains(classes)
                    || (!shape.is_words() && self.is_usual(classes))
                    || shape.ends().is_some_and(|(head, tail)| self.ends.contains(&(head, tail.to_vec())))
            }
            Shape::Cells(cells) => self.tables.get(&cells.len()).is_some_and(|(rows, columns)| {
                let fits = |(column, class): (&HashMap<Class, usize>, &Class)| {
                    let empty = column.get(&Class::Empty).copied().unwrap_or(0);
                    let is_needed = (rows - empty) * 100 >= rows * NEEDED;
                    column.contains_key(class) || (*class == Class::Empty && !is_needed)
                };
                cells.len() > 1 && columns.iter().zip(cells).all(fits)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> Shape {
        Shape::of(line).unwrap()
    }

    #[test]
    fn rows_are_told_from_sums_heads_and_running_text() {
        let mut rows = RowShapes::default();
        for line in ["1 Pen, blue 2 1.50 3.00", "2 Ink M8 10 4.00 1,040.00 EUR"] {
            rows.learn(&shape(line));
        }
        for line in ["3 Paper A4 80 g 1 1,234.50 1,234.50", "14 Nib 3 0.20 0.60"] {
            assert!(rows.knows(&shape(line)), "{line}");
        }
        for line in [
            "No Item Qty Price Sum",
            "Payment is due within 30 days of the date of the invoice.",
            "3. Goods stay ours until 2 weeks after 1 May",
            "Total 1,043.00",
            "Page 3 of 60",
        ] {
            assert!(!rows.knows(&shape(line)), "{line}");
        }
    }

    #[test]
    fn a_row_of_a_table_fills_the_cells_that_others_fill() {
        let mut rows = RowShapes::default();
        for line in ["| Pen | 2 | 1.50 | |", "| Ink | 3 | 4.00 | new |", "| Nib | 9 | 1,200.00 | |"] {
            rows.learn(&shape(line));
        }
        assert!(rows.knows(&shape("| Fountain pen | 1 | 2.50 | |")));
        for line in ["| Item | Qty | Price | Note |", "| Total | | 1,205.50 | |", "| a | 1 | 2.50 |"] {
            assert!(!rows.knows(&shape(line)), "{line}");
        }
        assert_eq!(Shape::of("| --- | :-: |"), None);
    }

    #[test]
    fn lines_that_sum_up_are_known_by_their_first_word() {
        for line in
            ["| Total | 5.00 |", "Übertrag 5,00", "Sub-total 3.00", "Zwischensumme: 4", "28 SUBTOTAL: 2.00"]
        {
            assert!(is_summary(line), "{line}");
        }
        assert!(!is_summary("| Pen | 5.00 |") && !is_summary("") && !is_summary("Paper for the total 2"));
    }

    #[test]
    fn tokens_have_classes() {
        for (token, expected) in [
            ("1,234.50", Class::Amount),
            ("RM9.00", Class::Amount),
            ("12.", Class::Whole),
            ("(5.00)", Class::Amount),
            ("19%", Class::Amount),
            ("12.03.2024", Class::Date),
            ("2024-03-12", Class::Date),
            ("1.234.567", Class::Amount),
            ("SKU-0012", Class::Code),
            ("4006381333931", Class::Code),
            ("10:30", Class::Code),
            ("Pen", Class::Words),
        ] {
            assert_eq!(class(token), Some(expected), "{token}");
        }
        assert_eq!(class("—"), None);
    }
}
