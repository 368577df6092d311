//! The duration of each part of `cargo test`, from its output.

use std::time::Duration;

/// Shorter parts are combined into one sum.
const SHORTEST_SHOWN: Duration = Duration::from_secs(1);

/// The parts so far, in order.
#[derive(Debug, Default)]
pub(crate) struct Durations {
    parts: Vec<(String, Duration)>,
    /// The running part, and when it began.
    current: Option<(String, Duration)>,
    /// When the last line was read.
    last: Duration,
}

impl Durations {
    /// Adds a part that has ended.
    pub(crate) fn add(&mut self, part: &str, duration: Duration) {
        self.parts.push((part.to_owned(), duration));
    }

    /// Handles a line of output, printed `at` this time after the start of `cargo test`.
    pub(crate) fn read_line(&mut self, line: &str, at: Duration) {
        self.last = at;
        if let Some(part) = begun_part(&plain(line)) {
            self.end_current(at);
            self.current = Some((part, at));
        }
    }

    /// Ends the running part. Output before the first part belongs to the build.
    fn end_current(&mut self, at: Duration) {
        let (part, began) = self.current.take().unwrap_or_else(|| ("build".to_owned(), Duration::ZERO));
        self.parts.push((part, at.saturating_sub(began)));
    }

    /// A table of the parts, longest first.
    pub(crate) fn table(mut self) -> String {
        if self.current.is_some() || self.last > Duration::ZERO {
            self.end_current(self.last);
        }
        let total: Duration = self.parts.iter().map(|(_, duration)| *duration).sum();
        self.parts.sort_by_key(|(_, duration)| std::cmp::Reverse(*duration));
        let shown = self.parts.iter().take_while(|(_, duration)| *duration >= SHORTEST_SHOWN).count();
        let (long, short) = self.parts.split_at(shown);
        let row = |part: &str, duration: Duration| format!("| {part} | {:.1} |\n", duration.as_secs_f64());
        let rows: String = long.iter().map(|(part, duration)| row(part, *duration)).collect();
        let rest: Duration = short.iter().map(|(_, duration)| *duration).sum();
        let rest = row(&format!("{} shorter parts", short.len()), rest);
        format!("\n| Part | Seconds |\n|---|---:|\n{rows}{rest}{}", row("all", total))
    }
}

/// The line without terminal colours.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once('m').map_or("", |(_, rest)| rest));
    std::iter::once(first).chain(rest).collect()
}

/// The part that a line of `cargo test` announces: a test program, or the documentation examples.
fn begun_part(line: &str) -> Option<String> {
    let line = line.trim_start();
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("{package}, examples in the documentation"));
    }
    // `Running tests/api/main.rs (target/debug/deps/api-0123456789abcdef)`
    let (source, program) = line.strip_prefix("Running ")?.split_once(" (")?;
    let name = program.trim_end_matches(')').rsplit('/').next()?;
    let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
    Some(format!("{name}, {source}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Durations;

    #[test]
    fn parts_are_told_apart_and_the_short_ones_summed() {
        let mut durations = Durations::default();
        let lines = [
            (1, "   Compiling a v0.1.0"),
            (10, "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m unittests src/lib.rs (target/debug/deps/a-0123)"),
            (11, "test result: ok"),
            (12, "     Running tests/api/main.rs (target/debug/deps/api-4567)"),
            (32, "   Doc-tests a"),
            (32, "test result: ok. 0 passed"),
        ];
        lines.iter().for_each(|(at, line)| durations.read_line(line, Duration::from_secs(*at)));
        assert_eq!(
            durations.table(),
            "\n| Part | Seconds |\n|---|---:|\n| api, tests/api/main.rs | 20.0 |\n| build | 10.0 |\n\
             | a, unittests src/lib.rs | 2.0 |\n| 1 shorter parts | 0.0 |\n| all | 32.0 |\n"
        );
    }
}
