//! The shapes of lines that are known to be rows, and which other lines look like them.

use std::collections::{HashMap, HashSet};

use super::{LineShape, TokenClass};

/// Of a hundred rows, how many must have a cell filled for every row to need it.
const NEEDED: usize = 90;
/// Rows of a shape that tells little, and the share of all in hundredths, from which it tells something.
const USUAL: usize = 10;
const MOST: usize = 60;
/// Rows that must have the same edge before it tells something of the lines around them.
const LEAST_EDGES: usize = 2;

/// The shapes of lines that are known to be rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowShapes {
    /// How many lines were learned from.
    count: usize,
    lines: HashSet<Vec<TokenClass>>,
    /// How often each shape was seen that tells little.
    plain: HashMap<Vec<TokenClass>, usize>,
    ends: HashSet<(TokenClass, Vec<TokenClass>)>,
    /// How often rows that say little begin or end so.
    edges: HashMap<(bool, TokenClass), usize>,
    /// By number of columns: how many rows, and for each column how often it has each class.
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

    /// Learns what another has learned.
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

    /// How many rows it knows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Whether rows are usually nothing but words, so that only those beside rows can be rows, too.
    pub(crate) fn is_of_words(&self) -> bool {
        self.is_usual(&[TokenClass::Words])
    }

    /// Whether a shape that tells little is that of many rows, and of most.
    fn is_usual(&self, classes: &[TokenClass]) -> bool {
        self.plain.get(classes).is_some_and(|times| *times >= USUAL && times * 100 >= self.count * MOST)
    }

    /// Whether a line begins or ends as most rows do that say little; among other lines that does not tell a row, but
    /// beside rows it may.
    pub(crate) fn knows_edge(&self, shape: &LineShape) -> bool {
        let is_known = |edge| {
            let times = self.edges.get(&edge).copied().unwrap_or(0);
            times >= LEAST_EDGES && times * 100 >= self.count * MOST
        };
        shape.edges().any(is_known)
    }

    /// Whether a line looks like one of the rows: each cell that nearly all rows fill is filled with what
    /// stands there in others; a printed line has the same classes, or the same beginning and the same
    /// numbers at its end.
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
