//! The stored figures as a Markdown table, and their regressions.

use std::fmt;

/// Maximum growth of a figure; more is a regression.
const MOST_GROWTH: f64 = 0.1;

/// Maximum growth of a time. The start took between 38 and 81 ms with the same binary, depending on other
/// load of the machine; its instructions are counted separately.
const MOST_GROWTH_OF_TIMES: f64 = 0.5;

/// A measured figure. Less is better for all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    /// Its name in the table, with the unit.
    pub(super) name: String,
    /// Its value in that unit.
    pub(super) value: f64,
    /// The day, such as `2026-11-23`.
    pub(super) measured: String,
}

impl fmt::Display for Figure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "| {} | {} | {} |", self.name, self.value, self.measured)
    }
}

/// The figures of a document's table.
pub(super) fn parse(text: &str) -> Vec<Figure> {
    text.lines().filter_map(parse_row).collect()
}

fn parse_row(line: &str) -> Option<Figure> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
    let [name, value, measured] = cells.as_slice() else { return None };
    Some(Figure { name: (*name).to_owned(), value: value.parse().ok()?, measured: (*measured).to_owned() })
}

/// The table of figures.
pub(super) fn render(figures: &[Figure]) -> String {
    let rows: String = figures.iter().map(|figure| format!("{figure}\n")).collect();
    format!("| Figure | Value | Measured |\n|---|---:|---|\n{rows}")
}

/// The regressions from the stored figures.
pub(super) fn regressions(stored: &[Figure], now: &[Figure]) -> Vec<String> {
    let grown = |figure: &Figure| {
        let before = stored.iter().find(|before| before.name == figure.name)?;
        let most = if figure.name.ends_with(", ms") { MOST_GROWTH_OF_TIMES } else { MOST_GROWTH };
        (figure.value > before.value * (1.0 + most)).then(|| {
            let percent = (figure.value / before.value - 1.0) * 100.0;
            format!("{} has grown by {percent:.0} %, from {} to {}", figure.name, before.value, figure.value)
        })
    };
    now.iter().filter_map(grown).collect()
}

/// The new figures, and stored ones that could not be measured here.
pub(super) fn merged(stored: &[Figure], now: Vec<Figure>) -> Vec<Figure> {
    let missing = |figure: &&Figure| !now.iter().any(|other| other.name == figure.name);
    let kept: Vec<Figure> = stored.iter().filter(missing).cloned().collect();
    now.into_iter().chain(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::{Figure, merged, parse, regressions, render};

    fn figure(name: &str, value: f64) -> Figure {
        Figure { name: name.to_owned(), value, measured: "2026-11-23".to_owned() }
    }

    #[test]
    fn figures_are_read_as_they_were_written() {
        let figures = [figure("size, MB", 59.5), figure("instructions per `GET /health`", 24_130.0)];
        let text = format!("# Figures\n\n{}\nend\n", render(&figures));
        assert!(text.contains("| size, MB | 59.5 | 2026-11-23 |\n"));
        assert_eq!(parse(&text), figures);
    }

    #[test]
    fn growth_of_more_than_a_tenth_is_a_regression() {
        let stored = [figure("a", 100.0), figure("b", 100.0)];
        assert!(regressions(&stored, &[figure("a", 110.0), figure("b", 50.0), figure("c", 1.0)]).is_empty());
        assert!(regressions(&[figure("start, ms", 100.0)], &[figure("start, ms", 150.0)]).is_empty());
        let told = regressions(&stored, &[figure("a", 125.0)]);
        assert_eq!(told, ["a has grown by 25 %, from 100 to 125"]);
    }

    #[test]
    fn a_figure_that_cannot_be_measured_here_stays() {
        let kept = merged(&[figure("a", 1.0), figure("b", 2.0)], vec![figure("a", 3.0)]);
        assert_eq!(kept, [figure("a", 3.0), figure("b", 2.0)]);
    }
}
