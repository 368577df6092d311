//! Layouts by which rows were lost or added without a word: names with prices, sums given as rows, copies that
//! were read otherwise. Rules of the engine were written with these in sight.

use serde_json::{Value, json};

use super::cases::{Case, Good, Layout, Random, goods, money, total, word};

pub(super) const LAYOUTS: &[(&str, Layout)] = &[
    ("names and prices", names_and_prices),
    ("names and prices with leaders", leaders),
    ("names that wrap before their price", wrapped),
    ("prices on lines of their own", own_lines),
    ("sums, heads and comments given as rows", sums_as_rows),
    ("copy read with slips", copy_with_slips),
    ("table again with another digit", another_digit),
    // Was held out first, and wrong.
    ("Rechnung with sums given as rows", rechnung),
];

const HEAD: &str = "Article Pieces Price Sum";
const NAMES: &[&str] = &["Bolt", "Hinge", "Angle bracket", "Washer", "Steel sheet"];

fn price(what: &str, cents: usize) -> Value {
    json!({"what": what, "price": cents as f64 / 100.0})
}

/// A list of prices that prints each as `print` says.
fn prices(seed: u64, size: usize, print: impl Fn(&str, usize) -> String) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 300);
    let mut text = vec!["Our prices".to_owned()];
    for n in 0..size {
        let (what, cents) = (format!("{} soup", word(n)), random.below(2_000) + 150);
        let row = price(&what, cents);
        text.push(case.says(&print(&what, cents), row.clone()));
        case.truth.push(row);
    }
    text.push("We wish you a pleasant stay".to_owned());
    case.add("prices.pdf", text);
    case
}

fn names_and_prices(seed: u64, size: usize) -> Case {
    prices(seed, size, |what, cents| format!("{what} {}", money(cents, false)))
}

fn leaders(seed: u64, size: usize) -> Case {
    let gap = [" ........ ", "......."][seed as usize % 2];
    prices(seed, size, |what, cents| format!("{what}{gap}{}", money(cents, false)))
}

fn wrapped(seed: u64, size: usize) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 310);
    let mut text = vec!["Our prices".to_owned()];
    for n in 0..size {
        let cents = random.below(2_000) + 150;
        if n % 3 == 1 {
            let (first, second) =
                (format!("Slowly stewed {} with", word(n)), format!("{} leaves", word(n + 7)));
            case.names.insert(first.clone(), format!("{first} {second}"));
            text.push(first.clone());
            let line = format!("{second} {}", money(cents, false));
            text.push(case.says(&line, json!({"what": null, "price": cents as f64 / 100.0})));
            case.truth.push(price(&format!("{first} {second}"), cents));
        } else {
            let row = price(&word(n), cents);
            text.push(case.says(&format!("{} {}", word(n), money(cents, false)), row.clone()));
            case.truth.push(row);
        }
    }
    case.add("prices.pdf", text);
    case
}

fn own_lines(seed: u64, size: usize) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 320);
    let mut text = vec!["Our prices".to_owned(), String::new()];
    for n in 0..size {
        let (what, cents) = (format!("{} with {}", word(n), word(n + 3)), random.below(2_000) + 150);
        case.names.insert(what.clone(), what.clone());
        text.push(what.clone());
        let line = money(cents, false);
        text.push(case.says(&line, json!({"what": null, "price": cents as f64 / 100.0})));
        case.truth.push(price(&what, cents));
    }
    case.add("prices.pdf", text);
    case
}

fn sums_as_rows(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 330), NAMES, size);
    let row = |what: &str, cents: usize| json!({"what": what, "count": null, "price": null, "sum": cents as f64 / 100.0});
    let mut text = vec!["Quotation 71".to_owned()];
    for (group, chunk) in goods.chunks(5).enumerate() {
        text.push(format!("Lot {}", group + 1));
        text.push(case.aside(HEAD, json!({"what": "Article", "count": null, "price": null, "sum": null})));
        for good in chunk {
            text.push(case.says(&good.plain(false), good.row()));
        }
        let sum = total(chunk);
        text.push(case.aside(&format!("Subtotal {}", money(sum, false)), row("Subtotal", sum)));
    }
    let sum = total(&goods);
    let tax = (sum * 19).div_ceil(100);
    text.push(case.aside(&format!("Net total {}", money(sum, false)), row("Net total", sum)));
    text.push(case.aside(&format!("VAT 19% {}", money(tax, false)), row("VAT 19%", tax)));
    text.push(case.aside(&format!("Grand total {}", money(sum + tax, false)), row("Grand total", sum + tax)));
    case.add("quotation.pdf", text);
    case.truth = goods.iter().map(Good::row).collect();
    case
}

/// A line as a poor scan is read: letters for figures, and a dot lost.
fn with_slip(line: &str, number: usize) -> String {
    let at = line.find(' ').unwrap_or(line.len());
    let (code, rest) = line.split_at(at);
    match number % 4 {
        0 => format!("{}{rest}", code.replace('1', "l")),
        1 => format!("{}{rest}", code.replace('0', "O")),
        2 => format!("{}{rest}", code.replace('.', "")),
        _ => line.to_owned(),
    }
}

fn copy_with_slips(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "code": {"type": "string"}, "what": {"type": "string"}, "count": {"type": "integer"},
        "price": {"type": "number"}}}}}));
    let goods = goods(&mut Random(seed + 340), NAMES, size);
    let title = ["Northern Iron Ltd", "Invoice No. 20177", "Code Article Pieces Price"].map(str::to_owned);
    let (mut first, mut second) = (title.to_vec(), title.to_vec());
    for (number, good) in goods.iter().enumerate() {
        let line = format!("A.{} {} {} {}", 1001 + number, good.what, good.count, money(good.cents, false));
        let slip = if number % 2 == seed as usize % 2 { with_slip(&line, number / 2) } else { line.clone() };
        let row = |line: &str| {
            let code = line.split(' ').next().unwrap_or_default();
            json!({"code": code, "what": good.what, "count": good.count, "price": good.cents as f64 / 100.0})
        };
        case.truth.push(row(&line));
        first.push(case.says(&line, row(&line)));
        second.push(case.says(&slip, row(&slip)));
    }
    let end = format!("Total {}", money(total(&goods), false));
    first.push(end.clone());
    second.push(end);
    case.add("invoice.pdf", [first, vec!["COPY".to_owned()], second].concat());
    case
}

fn another_digit(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let mut goods = goods(&mut Random(seed + 350), NAMES, size / 2);
    let mut text = Vec::new();
    for _ in 0..2 {
        text.push(HEAD.to_owned());
        for good in &goods {
            text.push(case.says(&good.plain(false), good.row()));
            case.truth.push(good.row());
        }
        let middle = goods.len() / 2;
        goods[middle].cents += 20;
    }
    case.add("deliveries.pdf", text);
    case
}

fn rechnung(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 440), &["Schraube", "Mutter", "Winkel", "Farbe"], size);
    let row = |what: &str, cents: usize| json!({"what": what, "count": null, "price": null, "sum": cents as f64 / 100.0});
    let mut text = vec!["Eisen Nord GmbH".to_owned(), "Rechnung 2024-118".to_owned()];
    let mut so_far = 0;
    for chunk in goods.chunks(8) {
        let head = "Artikel Menge Preis Summe";
        text.push(case.aside(head, json!({"what": "Artikel", "count": null, "price": null, "sum": null})));
        if so_far > 0 {
            text.push(case.aside(&format!("Übertrag {}", money(so_far, true)), row("Übertrag", so_far)));
        }
        for good in chunk {
            text.push(case.says(&good.plain(true), good.row()));
        }
        so_far += total(chunk);
        text.push(
            case.aside(&format!("Zwischensumme {}", money(so_far, true)), row("Zwischensumme", so_far)),
        );
    }
    let tax = (so_far * 7).div_ceil(100);
    text.push(case.aside(&format!("zzgl. MwSt 7% {}", money(tax, true)), row("zzgl. MwSt 7%", tax)));
    text.push(
        case.aside(&format!("Gesamtbetrag {}", money(so_far + tax, true)), row("Gesamtbetrag", so_far + tax)),
    );
    case.add("rechnung.pdf", text);
    case.truth = goods.iter().map(Good::row).collect();
    case
}
