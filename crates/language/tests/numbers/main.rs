//! Printed numbers of many conventions and languages. The conventions and languages of `held_out.txt` were
//! chosen before any number was read; rules are made on `open.txt` alone.

use language::number::{parse, pick_by_separator, scan};

/// Share of the held-out numbers that must be read right.
const HELD_OUT: f64 = 0.95;

/// Each line is `printed | decimal separator of its document, or ? | value, or none`.
#[expect(clippy::panic, reason = "a line of the table that cannot be read is a fault of the test")]
fn cases(table: &str) -> impl Iterator<Item = (&str, Option<char>, Option<f64>)> {
    table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let parts: Vec<&str> = line.rsplitn(3, " | ").collect();
        let [value, decimal, printed] = parts.as_slice() else { panic!("{line}") };
        let decimal = decimal.chars().next().filter(|c| *c != '?');
        (*printed, decimal, value.trim().parse().ok())
    })
}

fn misread(table: &str) -> (usize, Vec<String>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for (printed, decimal, value) in cases(table) {
        count += 1;
        let read = parse(printed, |readings| pick_by_separator(readings, decimal));
        let near = |a: f64, b: f64| (a - b).abs() <= a.abs() * 1e-12;
        let right = match (read, value) {
            (Some(read), Some(value)) => near(value, read),
            (read, value) => read.is_none() && value.is_none(),
        };
        if !right {
            wrong.push(format!("{printed}: {read:?}, not {value:?}"));
        }
    }
    (count, wrong)
}

#[test]
fn printed_numbers_are_read_in_the_conventions_that_rules_were_made_on() {
    let (count, wrong) = misread(include_str!("open.txt"));
    assert!(count >= 100 && wrong.is_empty(), "{} of {count} are wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn printed_numbers_are_read_in_conventions_and_languages_that_were_held_out() {
    let (count, wrong) = misread(include_str!("held_out.txt"));
    let share = 1.0 - wrong.len() as f64 / count as f64;
    assert!(count >= 100 && share >= HELD_OUT, "{share:.3} of {count} are right\n{}", wrong.join("\n"));
}

#[test]
fn dates_footnotes_and_tails_of_codes_are_no_whole_numbers() {
    for text in ["12.05.2020", "2020-05-12", "revenue[1]", "A1234", "192.168.0.12", "v1.2.3", "10:30"] {
        let mut whole = Vec::new();
        scan(text, 0..text.len(), |mention| {
            if !mention.part {
                whole.push(mention.range);
            }
        });
        assert!(whole.is_empty(), "{text}: {whole:?}");
    }
}
