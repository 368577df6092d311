//! Parses `tesseract`'s TSV output: a row for each page, block, paragraph, line and word.

use document::{MAX_RECOGNISED_WORDS, MAX_WORD_CHARS, RecognisedWord, Rect};

/// The `level` of a word's row.
const WORD: &str = "5";

/// The words of an answer, in its order. Rows that are not words, or are malformed, are skipped. `None` when
/// the answer is not TSV.
pub(crate) fn words(tsv: &str) -> Option<Vec<RecognisedWord>> {
    let mut lines = tsv.lines();
    if !lines.next()?.starts_with("level\t") {
        return None;
    }
    let mut words = Vec::new();
    let mut line: u32 = 0;
    let mut place: Option<[&str; 3]> = None;
    for row in lines {
        let fields: Vec<&str> = row.splitn(12, '\t').collect();
        let [level, _, block, paragraph, number, _, rest @ ..] = fields.as_slice() else { continue };
        if *level != WORD {
            continue;
        }
        if place != Some([*block, *paragraph, *number]) {
            place = Some([*block, *paragraph, *number]);
            line += 1;
        }
        words.extend(word(rest, line));
        if words.len() >= MAX_RECOGNISED_WORDS {
            break;
        }
    }
    Some(words)
}

fn word(fields: &[&str], line: u32) -> Option<RecognisedWord> {
    let [left, top, width, height, confidence, text] = fields else { return None };
    let number = |text: &str| text.trim().parse::<u32>().ok().map(f64::from);
    let (x0, y0) = (number(left)?, number(top)?);
    let (x1, y1) = (x0 + number(width)?, y0 + number(height)?);
    let text = text.trim();
    let confidence = confidence.trim().parse::<f32>().ok().filter(|value| (0.0..=100.0).contains(value))?;
    let readable = !text.is_empty() && text.chars().count() <= MAX_WORD_CHARS;
    readable.then(|| RecognisedWord {
        text: text.to_owned(),
        rect: Rect { x0, y0, x1, y1 },
        confidence,
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

    #[test]
    fn words_keep_their_place_and_know_their_line() {
        let rows = "1\t1\t0\t0\t0\t0\t0\t0\t900\t900\t-1\t\n\
                    5\t1\t1\t1\t1\t1\t10\t20\t30\t12\t96.5\tTwo\n\
                    5\t1\t1\t1\t1\t2\t50\t20\t40\t12\t91\twords\n\
                    5\t1\t2\t1\t1\t1\t10\t60\t30\t12\t88\tbelow\n";
        let words = words(&format!("{HEAD}{rows}")).unwrap();
        let told: Vec<_> = words.iter().map(|word| (word.text.as_str(), word.line)).collect();
        assert_eq!(told, [("Two", 1), ("words", 1), ("below", 2)]);
        assert_eq!(words[1].rect, Rect { x0: 50.0, y0: 20.0, x1: 90.0, y1: 32.0 });
        assert!((words[0].confidence - 96.5).abs() < 0.01);
    }

    #[test]
    fn rows_without_sense_are_left_out_and_what_is_no_answer_is_none() {
        let rows = "5\t1\t1\t1\t1\t1\t-1\t20\t30\t12\t96\tnegative\n\
                    5\t1\t1\t1\t1\t1\t1\t20\t99999999999\t12\t96\thuge\n\
                    5\t1\t1\t1\t1\t1\t1\t20\t3\t12\tNaN\tunsure\n\
                    5\t1\t1\t1\t1\t1\t1\t20\t3\t12\t-1\tnone\n\
                    5\t1\t1\n\n\
                    5\t1\t1\t1\t1\t1\t1\t20\t3\t12\t90\t   \n";
        assert_eq!(words(&format!("{HEAD}{rows}")), Some(Vec::new()));
        assert_eq!(words(""), None);
        assert_eq!(words("Segmentation fault"), None);
        let long = format!("{HEAD}5\t1\t1\t1\t1\t1\t1\t20\t3\t12\t90\t{}\n", "x".repeat(10_000));
        assert_eq!(words(&long), Some(Vec::new()));
        let many = "5\t1\t1\t1\t1\t1\t1\t20\t3\t12\t90\tx\n".repeat(2 * MAX_RECOGNISED_WORDS);
        assert_eq!(words(&format!("{HEAD}{many}")).unwrap().len(), MAX_RECOGNISED_WORDS);
    }
}
