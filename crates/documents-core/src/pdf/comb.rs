//! Joins the characters of comb fields, one in each box of a form, to words.

use super::word::Word;

/// Minimum characters of a comb. Chosen by hand; no measurement recorded.
const MIN_CHARACTERS: usize = 4;
/// Maximum distance of two characters, in font sizes: boxes are about as wide as high. Those of
/// `tests/pdf/letters.rs` are 1.5 wide. Chosen by hand; no measurement recorded.
const MAX_PITCH: f64 = 2.2;
/// Maximum deviation of a character from its position, in font sizes.
/// Chosen by hand; no measurement recorded.
const SLACK: f64 = 0.15;
/// Maximum empty boxes between two words. Chosen by hand; no measurement recorded.
const MAX_EMPTY: f64 = 3.0;
/// Minimum rows of digits at the same positions for a table column.
/// `scales_and_columns_of_single_digits_are_not_joined` has four. Chosen by hand; no measurement recorded.
const TABLE_ROWS: usize = 3;

/// Joins runs of single characters with an equal pitch to words.
pub(super) fn joined(words: Vec<Word>) -> Vec<Word> {
    let runs = runs(&words);
    if runs.is_empty() {
        return words;
    }
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut runs = runs.into_iter().peekable();
    for (at, word) in words.into_iter().enumerate() {
        while runs.peek().is_some_and(|run| run.start + run.steps.len() < at) {
            runs.next();
        }
        // The step that leads to this word, if it is not the first of its run.
        let step = runs.peek().and_then(|run| run.steps.get(at.checked_sub(run.start + 1)?));
        match (step, out.last_mut()) {
            (Some(1), Some(last)) => last.append(word),
            // An empty box separates two words.
            (Some(_), Some(last)) => {
                last.text.push(' ');
                last.append(word);
            }
            _ => out.push(word),
        }
    }
    out
}

/// A run of single characters.
struct Run {
    /// Index of its first word.
    start: usize,
    /// For each further word, the number of boxes from the one before.
    steps: Vec<u8>,
}

fn runs(words: &[Word]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let run = run(words, at);
        at += 1 + run.as_ref().map_or(0, |run| run.steps.len());
        found.extend(run);
    }
    // Positions that round to the same half point are equal.
    let place = |run: &Run| words.get(run.start).map_or(0, |word| (word.x0 * 2.0).round() as i64);
    let digits = |run: &Run| {
        words
            .iter()
            .skip(run.start)
            .take(run.steps.len() + 1)
            .all(|word| word.text.chars().all(char::is_numeric))
    };
    let is_column = |run: &Run| {
        let same = |other: &&Run| digits(other) && other.steps == run.steps && place(other) == place(run);
        digits(run) && found.iter().filter(same).count() >= TABLE_ROWS
    };
    let columns: Vec<bool> = found.iter().map(is_column).collect();
    found.into_iter().zip(columns).filter(|(_, is_column)| !is_column).map(|(run, _)| run).collect()
}

/// The longest run that begins with a word.
fn run(words: &[Word], start: usize) -> Option<Run> {
    let (first, second) = (words.get(start)?, words.get(start + 1)?);
    let by_left = |a: &Word, b: &Word| b.x0 - a.x0;
    let by_middle = |a: &Word, b: &Word| b.middle() - a.middle();
    let measured = [by_left as fn(&Word, &Word) -> f64, by_middle].map(|distance| {
        let pitch = distance(first, second);
        let mut steps: Vec<u8> = Vec::new();
        for pair in words.get(start..).unwrap_or_default().windows(2) {
            let [a, b] = pair else { break };
            match step(a, b, distance(a, b), pitch) {
                Some(step) => steps.push(step),
                None => break,
            }
        }
        steps
    });
    let steps = measured.into_iter().max_by_key(Vec::len)?;
    let run = words.get(start..=start + steps.len())?;
    (run.len() >= MIN_CHARACTERS && is_comb(run)).then_some(Run { start, steps })
}

/// Number of boxes between two characters of one comb.
fn step(a: &Word, b: &Word, distance: f64, pitch: f64) -> Option<u8> {
    let size = a.size;
    let alone = |word: &Word| word.text.chars().count() == 1 && word.table.is_none() && !word.rtl;
    let beside = (a.y - b.y).abs() < SLACK * size && (b.size - size).abs() < SLACK * size;
    let steps = (distance / pitch).round();
    let fits = pitch > 0.0
        && pitch < MAX_PITCH * size
        && (1.0..=MAX_EMPTY).contains(&steps)
        && (distance - steps * pitch).abs() < SLACK * size;
    (alone(a) && alone(b) && beside && fits).then_some(steps as u8)
}

/// Whether single characters are those of a comb. Not among them are scales such as `1 2 3 4 5`, and spaced
/// text, except a number whose punctuation is separate from its digits, as in `1 5 0 , 0 0 0`.
fn is_comb(run: &[Word]) -> bool {
    let value = |word: &Word| word.text.chars().next().and_then(|c| c.to_digit(36));
    let scale = run
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if value(a).zip(value(b)).is_some_and(|(a, b)| a + 1 == b)));
    let spaced = run.iter().any(|word| word.spaced.0 || word.spaced.1);
    let inner = run.get(1..run.len() - 1).unwrap_or_default();
    let marks = inner.iter().filter(|word| matches!(word.text.as_str(), "." | "," | "/" | "-")).count();
    let digits = run.iter().filter(|word| word.text.chars().all(|c| c.is_ascii_digit())).count();
    let all_known = run
        .iter()
        .all(|word| word.text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ',' | '/' | '-')));
    all_known && !scale && (!spaced || marks > 0 && digits + marks == run.len())
}
