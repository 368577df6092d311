//! Row shapes: learned from known rows, to recognise other rows.

use std::collections::{HashMap, HashSet};

use super::{LineShape, TokenClass};

/// Percentage of rows with a filled cell from which every row needs it. A few empty cells are omissions.
/// Chosen by hand; no measurement is recorded.
const NEEDED: usize = 90;
/// Rows of an indistinctive shape, and their percentage of all rows, from which it counts. Rows of words or
/// one number are checked from ten on (decision 12); the percentage is by hand.
const USUAL: usize = 10;
const MOST: usize = 60;
/// Rows with the same edge from which it counts. One may be a coincidence.
const LEAST_EDGES: usize = 2;

/// The shapes of known rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowShapes {
    /// The number of learned rows.
    count: usize,
    lines: HashSet<Vec<TokenClass>>,
    /// The number of rows by indistinctive shape.
    plain: HashMap<Vec<TokenClass>, usize>,
    ends: HashSet<(TokenClass, Vec<TokenClass>)>,
    /// The number of short rows by edge.
    edges: HashMap<(bool, TokenClass), usize>,
    /// By number of columns: the rows, and for each column the count of each class.
    tables: HashMap<usize, (usize, Vec<HashMap<TokenClass, usize>>)>,
}

impl RowShapes {
    pub(crate) fn learn(&mut self, shape: &LineShape) {
        self.count += 1;
        match shape {
            LineShape::Line(classes) => {
                if shape.is_telling() {
                    self.lines.insert(classes.clone());
                } else {
                    *self.plain.entry(classes.clone()).or_default() += 1;
                }
                self.ends.extend(shape.ends().map(|(head, tail)| (head, tail.to_vec())));
                shape.edges().for_each(|edge| *self.edges.entry(edge).or_default() += 1);
            }
            LineShape::Cells(cells) => {
                let (rows, columns) =
                    self.tables.entry(cells.len()).or_insert_with(|| (0, vec![HashMap::new(); cells.len()]));
                *rows += 1;
                for (column, class) in columns.iter_mut().zip(cells) {
                    *column.entry(*class).or_default() += 1;
                }
            }
        }
    }

    /// Merges the shapes of another.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.count += other.count;
        self.lines.extend(other.lines.iter().cloned());
        self.ends.extend(other.ends.iter().cloned());
        for (classes, times) in &other.plain {
            *self.plain.entry(classes.clone()).or_default() += times;
        }
        for (edge, times) in &other.edges {
            *self.edges.entry(*edge).or_default() += times;
        }
        for (width, (rows, columns)) in &other.tables {
            let (own, known) = self.tables.entry(*width).or_insert_with(|| (0, vec![HashMap::new(); *width]));
            *own += rows;
            for (column, classes) in known.iter_mut().zip(columns) {
                classes.iter().for_each(|(class, times)| *column.entry(*class).or_default() += times);
            }
        }
    }

    /// The number of learned rows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether rows usually consist of words only. Then only lines next to rows can be rows.
    pub(crate) fn is_of_words(&self) -> bool {
        self.is_usual(&[TokenClass::Words])
    }

    /// Whether an indistinctive shape is common among the rows.
    fn is_usual(&self, classes: &[TokenClass]) -> bool {
        self.plain.get(classes).is_some_and(|times| *times >= USUAL && times * 100 >= self.count * MOST)
    }

    /// Whether a line has the edge of most short rows. That is not enough to recognise a row, except next to
    /// known rows.
    pub(crate) fn knows_edge(&self, shape: &LineShape) -> bool {
        let is_known = |edge| {
            let times = self.edges.get(&edge).copied().unwrap_or(0);
            times >= LEAST_EDGES && times * 100 >= self.count * MOST
        };
        shape.edges().any(is_known)
    }

    /// Whether a line has the shape of the known rows. In a table, each cell that nearly all rows fill must
    /// be filled, with a class seen in its column. A printed line must have the same classes, or the same
    /// start and the same numbers at its end.
    pub(crate) fn knows(&self, shape: &LineShape) -> bool {
        match shape {
            LineShape::Line(classes) => {
                self.lines.contains(classes)
                    || (!shape.is_words() && self.is_usual(classes))
                    || shape.ends().is_some_and(|(head, tail)| self.ends.contains(&(head, tail.to_vec())))
            }
            LineShape::Cells(cells) => self.tables.get(&cells.len()).is_some_and(|(rows, columns)| {
                let fits = |(column, class): (&HashMap<TokenClass, usize>, &TokenClass)| {
                    let empty = column.get(&TokenClass::Empty).copied().unwrap_or(0);
                    let is_needed = (rows - empty) * 100 >= rows * NEEDED;
                    column.contains_key(class) || (*class == TokenClass::Empty && !is_needed)
                };
                cells.len() > 1 && columns.iter().zip(cells).all(fits)
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(line: &str) -> LineShape {
        LineShape::of(line).unwrap()
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
    fn names_with_a_price_are_known_by_their_edge() {
        let mut rows = RowShapes::default();
        for line in ["Tea 4.50", "Green tea 0.5l 3"] {
            rows.learn(&shape(line));
        }
        for line in ["Coffee 2", "Cake of the day 12.00 EUR", "5.00"] {
            assert!(rows.knows_edge(&shape(line)), "{line}");
        }
        for line in ["with sugar", "2 x 3.00", "Open since 12.03.1990", "9 to 5 on weekdays"] {
            assert!(!rows.knows_edge(&shape(line)), "{line}");
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
        assert_eq!(LineShape::of("| --- | :-: |"), None);
    }
}
