//! The same kinds of layouts as the probes, in other words and forms; no rule was written with them in sight.

use serde_json::{Value, json};

use super::cases::{Case, Good, Layout, Random, goods, money, total, word};

pub(super) const LAYOUTS: &[(&str, Layout)] = &[
    ("tariff with sizes and whole prices", tariff),
    ("prices before names", price_first),
    ("carte with sections and descriptions", carte),
    ("rows of three lines", three_lines),
    ("table with sums and sections in its cells", computo),
    ("Zweitschrift read with slips", zweitschrift),
    ("rows and tables that differ in a digit", neighbours),
];

fn price(what: &str, cents: usize) -> Value {
    json!({"what": what, "price": cents as f64 / 100.0})
}

fn tariff(seed: u64, size: usize) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 400);
    let mut text = vec!["Getränke".to_owned()];
    for n in 0..size {
        let what = format!("{} {}", word(n), ["0,2 l", "0,5l", "vom Fass", "33 cl"][random.below(4)]);
        let cents = random.below(80) * 10 + 200;
        let printed = if cents.is_multiple_of(100) { (cents / 100).to_string() } else { money(cents, true) };
        let row = price(&what, cents);
        text.push(case.says(&format!("{what} {printed} EUR"), row.clone()));
        case.truth.push(row);
    }
    text.push("Alle Preise mit Bedienung".to_owned());
    case.add("karte.pdf", text);
    case
}

fn price_first(seed: u64, size: usize) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 410);
    let mut text = vec!["What we charge".to_owned()];
    for n in 0..size {
        let (what, cents) = (format!("{} per night", word(n)), random.below(20_000) + 1_500);
        let row = price(&what, cents);
        text.push(case.says(&format!("${} {what}", money(cents, false)), row.clone()));
        case.truth.push(row);
    }
    case.add("rates.txt", text);
    case
}

fn carte(seed: u64, size: usize) -> Case {
    let mut case = Case::prices();
    let mut random = Random(seed + 420);
    let mut text = vec!["La carte".to_owned()];
    for n in 0..size {
        if n % 8 == 0 {
            text.push(String::new());
            text.push(["Entrées", "Plats", "Desserts"][n / 8 % 3].to_owned());
        }
        let (what, cents) = (format!("Soupe {}", word(n)), random.below(3_000) + 400);
        let row = price(&what, cents);
        text.push(case.says(&format!("{what} {} €", money(cents, true)), row.clone()));
        case.truth.push(row);
        if random.below(2) == 0 {
            text.push("servie avec du pain, selon la saison".to_owned());
        }
    }
    text.push("Prix nets, service compris".to_owned());
    case.add("carte.pdf", text);
    case
}

fn three_lines(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}}));
    let mut random = Random(seed + 430);
    let mut text = vec!["Catalogue".to_owned()];
    for n in 0..size {
        let (what, cents) = (format!("{} lamp", word(n)), random.below(9_000) + 1_000);
        text.push(what.clone());
        let colour = format!("in {} or grey", word(n + 5));
        case.names.insert(colour.clone(), what.clone());
        text.push(colour);
        text.push(case.says(
            &format!("€ {}", money(cents, false)),
            json!({"what": null, "price": cents as f64 / 100.0}),
        ));
        case.truth.push(price(&what, cents));
    }
    case.add("catalogue.pdf", text);
    case
}

fn computo(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 450), &["Piastrella", "Malta", "Tubo", "Vite"], size);
    let mut text = vec![
        "# Computo".to_owned(),
        String::new(),
        "| Voce | Quantità | Prezzo | Importo |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    let row = |what: &str, cents: Value| json!({"what": what, "count": null, "price": null, "sum": cents});
    for (group, chunk) in goods.chunks(6).enumerate() {
        let section = format!("Bagno {}", word(group));
        text.push(case.aside(&format!("| {section} | | | |"), row(&section, Value::Null)));
        for good in chunk {
            text.push(case.says(&good.cells(true), good.row()));
        }
        let line = format!("| Totale {section} | | | {} |", money(total(chunk), true));
        text.push(case.aside(&line, row(&format!("Totale {section}"), json!(total(chunk) as f64 / 100.0))));
    }
    let line = format!("| Totale | | | {} |", money(total(&goods), true));
    text.push(case.aside(&line, row("Totale", json!(total(&goods) as f64 / 100.0))));
    case.add("computo.md", text);
    case.truth = goods.iter().map(Good::row).collect();
    case
}

fn zweitschrift(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 460), &["Oberfräse Io", "Bohrer 10 mm", "Säge O1", "Nut l0"], size);
    let page = |case: &mut Case, is_slipped: bool| {
        let number = if is_slipped { "Rechnung Nr 2O24-l18" } else { "Rechnung Nr. 2024-118" };
        let mut page =
            vec!["Eisen Nord GmbH".to_owned(), number.to_owned(), "Artikel Menge Preis Summe".to_owned()];
        for (n, good) in goods.iter().enumerate() {
            let what = match (is_slipped, n % 3) {
                (true, 0) => good.what.replace('0', "O"),
                (true, 1) => good.what.replace('l', "1").replace('I', "l"),
                _ => good.what.clone(),
            };
            let read = Good { what, ..good.clone() };
            page.push(case.says(&read.plain(true), read.row()));
        }
        page.push(format!("Gesamtbetrag {}", money(total(&goods), true)));
        page
    };
    let first = page(&mut case, false);
    let second = page(&mut case, true);
    case.add("rechnung.pdf", [first, vec!["Zweitschrift".to_owned()], second].concat());
    case.truth = goods.iter().map(Good::row).collect();
    case
}

fn neighbours(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "code": {"type": "string"}, "count": {"type": "integer"}, "price": {"type": "number"}}}}}));
    let mut random = Random(seed + 470);
    let mut text = vec!["Stock of May".to_owned()];
    let first: Vec<(usize, usize)> =
        (0..size / 2).map(|n| (n / 2 + 3, random.below(3) * 100 + 250)).collect();
    for table in 0..2 {
        text.push("Code Pieces Price".to_owned());
        for (n, (count, cents)) in first.iter().enumerate() {
            // The second table has one other code, which differs in its last figure.
            let code = 7_000 + n * 10 + usize::from(table == 1 && n == size / 5);
            let row = json!({"code": format!("X{code}"), "count": count, "price": *cents as f64 / 100.0});
            text.push(case.says(&format!("X{code} {count} {}", money(*cents, false)), row.clone()));
            case.truth.push(row);
        }
    }
    case.add("stock.txt", text);
    case
}
