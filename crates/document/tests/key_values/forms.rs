//! Forms made by a seeded generator in many layouts, with their truth.

use crate::told;
use crate::writer::{Page, pdf};

const LABELS: [&str; 24] = [
    "Invoice number",
    "Date of issue",
    "Due date",
    "Vessel",
    "Skipper",
    "Home port",
    "Licence",
    "Gross tonnage",
    "Customer no.",
    "Tax ID",
    "Telephone",
    "E-mail",
    "Net amount",
    "Total",
    "Payment terms",
    "Currency",
    "Berth",
    "Engine power",
    "Built in",
    "Insured by",
    "Policy number",
    "Valid until",
    "Contact person",
    "Order reference",
];
const NAMES: [&str; 8] =
    ["Ada Marsh", "Morning Star", "Hull", "Quay & Sons", "Tern", "North Light", "Pip Lowe", "Grimsby"];
const PROSE: [&str; 4] = [
    "The harbour office keeps this paper for ten years and gives a copy of it to whoever asks for one in writing.",
    "Please check what is printed here and tell us within two weeks where it is not right: later we cannot change it.",
    "Landings before 6:30 are weighed by the night shift, those after it by the day shift, and both sign the sheet.",
    "What is caught in nets of a mesh below 1:20 of the scale that the ministry gave out has to go back at once.",
];

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Seed(u64);

impl Seed {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap()
    }

    fn label(&mut self, used: &mut Vec<usize>) -> &'static str {
        loop {
            let place = self.next(LABELS.len());
            if !used.contains(&place) {
                used.push(place);
                return LABELS[place];
            }
        }
    }

    fn figure(&mut self) -> String {
        let number = 1 + self.next(9_000);
        match self.next(4) {
            0 => format!("{number}.{:02}", self.next(100)),
            1 => format!("2026-{:02}-{:02}", 1 + self.next(12), 1 + self.next(28)),
            2 => format!("H-{number}"),
            _ => format!("{number} kg"),
        }
    }

    fn value(&mut self) -> String {
        if self.next(2) == 0 { self.figure() } else { NAMES[self.next(NAMES.len())].to_owned() }
    }
}

type Truth = Vec<(String, String)>;

/// A page of one layout.
fn form(layout: usize, seed: &mut Seed) -> (Page, Truth) {
    let (mut page, mut truth, mut used) = (Page::new(), Truth::new(), Vec::new());
    let (left, column, size) =
        (60.0 + seed.next(30) as f64, 200.0 + seed.next(60) as f64, 9.0 + seed.next(3) as f64);
    page = page.text(left, 60.0, 16.0, "Harbour paper");
    let mut y = 110.0;
    for _ in 0..6 {
        let mut add =
            |label: &str, value: &str| truth.push((label.trim_end_matches('.').to_owned(), value.to_owned()));
        match layout {
            // A colon and a space.
            0 => {
                let (label, value) = (seed.label(&mut used), seed.value());
                page = page.text(left, y, size, &format!("{label}: {value}"));
                add(label, &value);
            }
            // A colon and a column of values.
            1 => {
                let (label, value) = (seed.label(&mut used), seed.value());
                page = page.text(left, y, size, &format!("{label}:")).text(column, y, size, &value);
                add(label, &value);
            }
            // No colon and a column of values.
            2 => {
                let (label, value) = (seed.label(&mut used), seed.value());
                page = page.text(left, y, size, label).text(column, y, size, &value);
                add(label, &value);
            }
            // Labels above the values of boxes.
            3 => {
                for place in 0..2 + seed.next(2) {
                    let (label, value) = (seed.label(&mut used), seed.figure());
                    let x = left + 160.0 * place as f64;
                    page = page.text(x, y, 7.0, label).text(x, y + 11.0, size, &value);
                    add(label, &value);
                }
                y += 24.0;
                if used.len() > 14 {
                    break;
                }
            }
            // Two pairs in a line.
            4 => {
                for x in [left, left + 250.0] {
                    let (label, value) = (seed.label(&mut used), seed.value());
                    page = page.text(x, y, size, &format!("{label}: {value}"));
                    add(label, &value);
                }
            }
            // Values of several lines.
            _ => {
                let (label, first, second) = (seed.label(&mut used), seed.value(), seed.value());
                page =
                    page.text(left, y, size, &format!("{label}:")).lines(column, y, size, &[&first, &second]);
                add(label, &format!("{first}\n{second}"));
                y += 1.2 * size;
            }
        }
        y += 2.0 * size;
    }
    for _ in 0..2 {
        y += 30.0;
        page = page.text(left, y, 8.0, PROSE[seed.next(PROSE.len())]);
    }
    (page, truth)
}

#[test]
fn generated_forms_are_read_nearly_whole_with_hardly_anything_made_up() {
    let mut seed = Seed(7);
    let mut all = (0, 0, 0);
    for layout in 0..6 {
        let (mut right, mut found, mut wanted) = (0, 0, 0);
        for _ in 0..40 {
            let (page, truth) = form(layout, &mut seed);
            let told = told(&pdf(&[page]), "form.pdf");
            let same = |key: &str, other: &str| key.trim_end_matches('.') == other;
            right += truth
                .iter()
                .filter(|(key, value)| told.iter().any(|(k, v)| same(k, key) && v == value))
                .count();
            (found, wanted) = (found + told.len(), wanted + truth.len());
        }
        let share = |of: usize| right as f64 / of.max(1) as f64;
        println!("layout {layout}: precision {:.3}, recall {:.3}", share(found), share(wanted));
        assert!(share(found) > 0.9 && share(wanted) > 0.85, "layout {layout}");
        all = (all.0 + right, all.1 + found, all.2 + wanted);
    }
    let (right, found, wanted) = all;
    println!(
        "all: precision {:.3}, recall {:.3}",
        f64::from(u32::try_from(right).unwrap()) / f64::from(u32::try_from(found).unwrap()),
        f64::from(u32::try_from(right).unwrap()) / f64::from(u32::try_from(wanted).unwrap())
    );
}
