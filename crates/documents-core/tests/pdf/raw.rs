//! The raw text: everything, in reading order, without marks.

use documents_core::{Limits, raw_text};

use crate::writer::{Page, pdf};

fn raw(pages: &[Page]) -> Vec<String> {
    let text = raw_text(&pdf(pages), "test.pdf", &Limits::default()).unwrap();
    text.lines().map(str::to_owned).collect()
}

const LEFT: [&str; 4] = [
    "The lighthouse keeper wrote down the",
    "weather four times a day, and in the",
    "evening the names of the ships that",
    "had passed while he was awake.",
];
const RIGHT: [&str; 4] = [
    "His books are kept in the cellar of",
    "the town hall. The last one ends in",
    "the middle of a line, and nobody has",
    "found out what he saw.",
];

#[test]
fn columns_are_read_one_after_the_other_whatever_the_order_of_drawing() {
    let title = |page: Page| page.text(60.0, 60.0, 18.0, "The keeper and his books");
    let across =
        LEFT.iter().zip(RIGHT).enumerate().fold(title(Page::new()), |page, (index, (left, right))| {
            let y = 100.0 + 12.0 * index as f64;
            page.text(330.0, y, 10.0, right).text(60.0, y, 10.0, left)
        });
    let expected: Vec<&str> = ["The keeper and his books"].into_iter().chain(LEFT).chain(RIGHT).collect();
    assert_eq!(raw(&[across]), expected);
}

#[test]
fn cells_that_stand_in_a_grid_are_read_row_by_row() {
    let page = (0..3).fold(Page::new(), |page, column| {
        (0..3).fold(page, |page, row| {
            let (x, y) = (60.0 + 150.0 * f64::from(column), 100.0 + 40.0 * f64::from(row));
            page.text(x, y, 10.0, &format!("cell {row} {column}"))
        })
    });
    let expected: Vec<String> =
        (0..3).flat_map(|row| (0..3).map(move |column| format!("cell {row} {column}"))).collect();
    assert_eq!(raw(&[page]), expected);
}

#[test]
fn nothing_is_dropped_and_no_marks_are_added() {
    let pages: Vec<Page> = (1..=3)
        .map(|number| {
            Page::new()
                .text(60.0, 40.0, 8.0, "Books of the keeper")
                .text(60.0, 90.0, 20.0, "Weather")
                .lines(60.0, 130.0, 10.0, &LEFT)
                .raw("3 Tr")
                .text(60.0, 300.0, 10.0, "hidden")
                .raw("0 Tr")
                .text(60.0, 760.0, 8.0, &number.to_string())
        })
        .collect();
    let text = raw_text(&pdf(&pages), "test.pdf", &Limits::default()).unwrap();
    for word in ["Books of the keeper", "Weather", "hidden"] {
        assert_eq!(text.matches(word).count(), 3, "{word}");
    }
    assert!(!text.contains('#') && text.matches('\u{c}').count() == 2, "{text}");
}

#[test]
fn a_word_parted_by_a_hyphen_is_mended() {
    let page =
        Page::new().lines(60.0, 100.0, 10.0, &["The light was put out in the win-", "ter of that year."]);
    assert_eq!(raw(&[page]), ["The light was put out in the winter of that year."]);
}

#[test]
fn columns_of_right_to_left_text_are_read_from_the_right() {
    let page = Page::new().font_text("H", 60.0, 100.0, 12.0, "FE").font_text("H", 330.0, 100.0, 12.0, "BA");
    assert_eq!(raw(&[page]), ["\u{5d0}\u{5d1}", "\u{5d4}\u{5d5}"]);
}

#[test]
fn letters_that_are_spaced_out_are_one_word() {
    let page = "BOATS".chars().enumerate().fold(Page::new(), |page, (index, letter)| {
        page.text(60.0 + 10.0 * index as f64, 100.0, 10.0, &letter.to_string())
    });
    assert_eq!(raw(&[page]), ["BOATS"]);
}

#[test]
fn codes_without_a_meaning_stand_as_the_characters_of_their_numbers() {
    let page = Page::new().raw("BT /U 12 Tf 1 0 0 1 60 700 Tm <01600161> Tj ET");
    assert_eq!(raw(&[page]).concat(), "\u{160}\u{161}");
}

#[test]
fn a_page_of_many_scattered_words_is_read_in_time() {
    let page = (0..6_000).fold(Page::new(), |page, index| {
        let (x, y) = (f64::from(index * 7919 % 600), 10.0 + f64::from(index * 104_729 % 770));
        page.text(x, y, 1.0 + f64::from(index % 7), "w")
    });
    assert_eq!(raw(&[page]).join(" ").matches('w').count(), 6_000);
}

#[test]
fn other_formats_give_their_text_without_marks() {
    let text =
        raw_text(b"<h1>Tides</h1><table><tr><td>a<td>b|c</table>", "x.html", &Limits::default()).unwrap();
    assert_eq!(text, "Tides\na\tb|c\n");
}
