//! Letters to words.

use crate::writer::{HEIGHT, Page, pdf};
use crate::{lines, read};

#[test]
fn text_drawn_twice_to_look_bold_is_read_once() {
    let page = Page::new().text(60.0, 100.0, 12.0, "Hello bill").text(60.4, 100.0, 12.0, "Hello bill").text(
        60.4,
        100.4,
        12.0,
        "Hello bill",
    );
    assert_eq!(lines(&pdf(&[page])), ["Hello bill"]);
}

#[test]
fn narrow_letters_that_follow_themselves_are_all_kept() {
    let text = "full bill, illicit wool; still i i i";
    // Other sizes on the page must not count as the same places.
    let page = (0..12).fold(Page::new(), |page, index| {
        page.text(60.0, 60.0 + 20.0 * f64::from(index), 5.0 + f64::from(index), text)
    });
    assert_eq!(lines(&pdf(&[page])).iter().filter(|line| line.trim_start_matches("## ") == text).count(), 12);
}

#[test]
fn the_invisible_text_of_a_scan_is_read() {
    let page = Page::new().raw("3 Tr").text(60.0, 100.0, 12.0, "Recognised by a machine");
    assert_eq!(lines(&pdf(&[page])), ["Recognised by a machine"]);
}

#[test]
fn invisible_text_among_visible_text_is_left_out() {
    let page = Page::new()
        .text(60.0, 100.0, 12.0, "What everybody can see on this page")
        .raw("3 Tr")
        .text(60.0, 200.0, 12.0, "hidden");
    assert_eq!(lines(&pdf(&[page])), ["What everybody can see on this page"]);
}

#[test]
fn raised_and_lowered_letters_belong_to_the_word_they_touch() {
    let page = Page::new()
        .raw(&format!(
            "BT /F 12 Tf 1 0 0 1 60 {} Tm (on the 21) Tj /F 7 Tf 5 Ts (st) Tj /F 12 Tf 0 Ts ( of May) Tj ET",
            HEIGHT - 100.0
        ))
        .raw(&format!(
            "BT /F 12 Tf 1 0 0 1 60 {} Tm (H) Tj /F 7 Tf -3 Ts (2) Tj /F 12 Tf 0 Ts (O) Tj ET",
            HEIGHT - 140.0
        ));
    assert_eq!(lines(&pdf(&[page])), ["on the 21st of May", "H2O"]);
}

#[test]
fn letters_drawn_out_of_order_are_one_word_where_they_touch() {
    // Helvetica: H 722, a 556, r 333, b 556, o 556 and u 556 thousandths of its size.
    let letters =
        [("H", 0.0), ("r", 15.336), ("o", 26.004), ("a", 8.664), ("b", 19.332), ("u", 32.676), ("r", 39.348)];
    let page = letters.iter().fold(Page::new(), |page, (letter, x)| page.text(60.0 + x, 100.0, 12.0, letter));
    assert_eq!(lines(&pdf(&[page])), ["Harbour"]);
}

#[test]
fn words_that_only_a_gap_parts_are_two() {
    let page = Page::new().raw("BT /F 12 Tf 60 600 Td [(Old) -300 (mill)] TJ ET");
    assert_eq!(lines(&pdf(&[page])), ["Old mill"]);
}

#[test]
fn spaced_out_words_stay_whole() {
    let page = Page::new().raw("BT /F 12 Tf 3 Tc 60 600 Td (HARBOUR DUES) Tj ET");
    assert_eq!(lines(&pdf(&[page])), ["HARBOUR DUES"]);
}

/// A text with its characters one after the other at equal steps, as a form's boxes have them.
fn comb(page: Page, y: f64, text: &str) -> Page {
    text.chars().enumerate().fold(page, |page, (at, c)| {
        if c == ' ' { page } else { page.text(60.0 + 15.0 * at as f64, y, 10.0, &c.to_string()) }
    })
}

#[test]
fn characters_in_the_boxes_of_a_form_are_joined() {
    let page = comb(comb(comb(Page::new(), 100.0, "150,000"), 140.0, "DE8937040044"), 180.0, "MAX MUSTER");
    assert_eq!(lines(&pdf(&[page])), ["150,000", "DE8937040044", "MAX MUSTER"]);
    let typed = Page::new().text(60.0, 100.0, 10.0, "1 5 0 , 0 0 0");
    assert_eq!(lines(&pdf(&[typed])), ["150,000"]);
}

#[test]
fn scales_and_columns_of_single_digits_are_not_joined() {
    let scale = comb(Page::new(), 100.0, "12345").text(60.0, 140.0, 10.0, "3 1 4 1 5");
    assert_eq!(lines(&pdf(&[scale])), ["1 2 3 4 5", "3 1 4 1 5"]);
    let rows = ["10110", "01011", "11100", "00101"];
    let table = rows
        .iter()
        .enumerate()
        .fold(Page::new(), |page, (at, row)| comb(page, 100.0 + 14.0 * at as f64, row));
    let read = lines(&pdf(&[table])).join(" ");
    assert!(!rows.iter().any(|row| read.contains(row)), "{read}");
}

#[test]
fn a_word_cut_at_the_end_of_a_line_is_joined_and_a_double_name_keeps_its_hyphen() {
    let page = Page::new().lines(
        60.0,
        100.0,
        12.0,
        &["He met the harbour mas-", "ter of Nether-", "Field, a quiet man."],
    );
    let text = read(&pdf(&[page])).unwrap().text;
    assert!(text.contains("harbour master of") && text.contains("Nether-\nField"), "{text}");
}

#[test]
fn ligatures_are_written_out() {
    let page = Page::new().font_text("H", 60.0, 100.0, 12.0, "of2ce");
    assert_eq!(lines(&pdf(&[page])), ["office"]);
}

#[test]
fn text_within_nested_forms_is_read_in_its_place() {
    let inner = "BT /F 12 Tf 60 600 Td (from the inner form) Tj ET";
    let outer = "BT /F 12 Tf 60 650 Td (from the outer form) Tj ET q 1 0 0 1 0 -20 cm /Inner Do Q";
    let page = Page::new()
        .form("Inner", inner)
        .form("Outer", outer)
        .raw("/Outer Do")
        .text(60.0, 100.0, 12.0, "above");
    assert_eq!(lines(&pdf(&[page])), ["above", "from the outer form", "from the inner form"]);
}

fn unmapped(text: &str, shift: u32) -> Vec<u8> {
    let codes: String = text.chars().map(|c| format!("{:04x}", u32::from(c) - shift)).collect();
    pdf(&[Page::new().raw(&format!("BT /U 8 Tf 60 600 Td <{codes}> Tj ET"))])
}

#[test]
fn codes_without_a_map_are_read_where_they_are_unicode_or_in_the_usual_order_of_true_type() {
    let text = "Paid in full by the harbour master";
    assert_eq!(lines(&unmapped(text, 0)), [text]);
    assert_eq!(lines(&unmapped(text, 29)), [text]);
}

#[test]
fn codes_without_a_map_that_make_no_words_are_left_out_and_their_page_needs_ocr() {
    assert!(matches!(
        read(&unmapped("PAID IN FULL BY THE HARBOUR MASTER", 7)),
        Err(document::ParseError::NeedsOcr(pages)) if pages.0 == [1]
    ));
}

#[test]
fn letters_set_below_each_other_are_lines_that_run_down() {
    let line = |x: f64, codes: &[u32]| {
        let shown = codes.iter().zip(0..).map(|(code, place)| {
            format!("1 0 0 1 {x} {} Tm <{code:04X}> Tj ", HEIGHT - 100.0 - 12.0 * f64::from(place))
        });
        format!("BT /W 12 Tf {}ET", shown.collect::<String>())
    };
    // The right line is read first, whatever the order of drawing.
    let page = Page::new()
        .raw(&line(100.0, &[0x46, 0x47, 0x48, 0x49, 0x4a]))
        .raw(&line(120.0, &[0x41, 0x42, 0x43, 0x44, 0x45]));
    assert_eq!(
        lines(&pdf(&[page])),
        ["\u{3042}\u{3043}\u{3044}\u{3045}\u{3046}", "\u{3047}\u{3048}\u{3049}\u{304a}\u{304b}"]
    );
}

#[test]
fn marks_that_touch_letters_from_right_to_left_belong_to_their_word() {
    // The point was drawn by itself and in another font, left of the last letter.
    let page = Page::new().font_text("H", 60.0, 100.0, 12.0, "CBA").text(56.7, 100.0, 12.0, ".");
    assert_eq!(lines(&pdf(&[page])), ["\u{5d0}\u{5d1}\u{5d2}."]);
}
