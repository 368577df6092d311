//! Layouts that no rule of the engine was written with.

use serde_json::{Value, json};

use super::cases::{Case, Good, Layout, Random, goods, money, total};

pub(super) const LAYOUTS: &[(&str, Layout)] = &[
    ("Rechnung with Duplikat", duplikat),
    ("relevé with sums carried over", releve),
    ("copy that is marked beside its number", copy_on_the_line_of_the_number),
    ("equal orders of two weekdays", weekdays),
    ("prestamistas of a contract", prestamistas),
    ("document given twice", given_twice),
    ("rows of two lines and a copy", two_lines),
    ("equal prices and comments", price_list),
    ("documents of different rows and an empty one", several),
    ("letter that names what a table lists", letter),
];

fn truth(goods: &[Good]) -> Vec<Value> {
    goods.iter().map(Good::row).collect()
}

fn duplikat(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 100), &["Schraube", "Mutter", "Winkel", "Farbe", "Blech"], size);
    let mut page: Vec<String> =
        ["Eisen Nord GmbH", "Rechnung Nr. 2024-118", "Datum: 12.03.2024", "Artikel Menge Preis Summe"]
            .map(str::to_owned)
            .to_vec();
    for good in &goods {
        page.push(case.says(&good.plain(true), good.row()));
    }
    page.push(format!("Gesamtbetrag {}", money(total(&goods), true)));
    let first = [page.clone(), vec!["Seite 1 von 2".to_owned(), String::new()]].concat();
    let second = [vec!["DUPLIKAT".to_owned()], page, vec!["Seite 2 von 2".to_owned()]].concat();
    case.add("rechnung.pdf", [first, second].concat());
    case.truth = truth(&goods);
    case
}

fn releve(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 110), &["Vis", "Écrou", "Peinture", "Tôle", "Lame"], size);
    let each = 3 + 15 * usize::from(size > 100);
    let mut text = vec!["Fer du Nord SARL".to_owned(), "Relevé de livraisons".to_owned()];
    for (page, chunk) in goods.chunks(each).enumerate() {
        if page > 0 {
            text.push(format!("Report {}", money(total(&goods[..page * each]), true)));
        }
        text.push("Désignation Quantité Prix Montant".to_owned());
        for good in chunk {
            text.push(case.says(&good.plain(true), good.row()));
        }
        text.extend([
            format!("À reporter {}", money(total(chunk) + page, true)),
            format!("– {} –", page + 1),
        ]);
    }
    case.add("releve.pdf", text);
    case.truth = truth(&goods);
    case
}

fn copy_on_the_line_of_the_number(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 200), &["Piastrella", "Malta", "Tubo", "Vite"], size);
    let mut body: Vec<String> =
        ["Cliente: Edilizia Rossi", "del 12/03/2024", "Descrizione Quantità Prezzo Importo"]
            .map(str::to_owned)
            .to_vec();
    for good in &goods {
        body.push(case.says(&good.plain(true), good.row()));
    }
    body.push(format!("Totale {}", money(total(&goods), true)));
    let page = |title: &str| [vec!["Ferro Nord S.r.l.".to_owned(), title.to_owned()], body.clone()].concat();
    case.add("fattura.pdf", [page("Fattura 118/24"), page("Fattura 118/24 (copia)")].concat());
    case.truth = truth(&goods);
    case
}

fn weekdays(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 130), &["Bread", "Rolls", "Cake", "Milk"], size / 2);
    let mut text = vec!["Standing order of Hotel Elm".to_owned()];
    for day in ["Monday", "Tuesday"] {
        text.extend([day.to_owned(), "Article Pieces Price Sum".to_owned()]);
        for good in &goods {
            text.push(case.says(&good.plain(false), good.row()));
        }
        case.truth.extend(truth(&goods));
    }
    case.add("orders.txt", text);
    case
}

fn prestamistas(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "city": {"type": "string"}, "amount": {"type": "number"}}}}}));
    case.key = Some("name");
    let mut random = Random(seed + 140);
    let count = if size > 100 { 12 } else { 4 };
    let names: Vec<String> = (0..count)
        .map(|n| {
            format!(
                "Banco {} {}",
                ["del Norte", "Central", "Atlántico", "Andino"][n % 4],
                ["S.A.", "de Ahorro", "Popular"][n / 4]
            )
        })
        .collect();
    let cities = ["Madrid", "Sevilla", "Bilbao", "Valencia"];
    let mut text =
        vec!["CONTRATO DE PRÉSTAMO".to_owned(), "Entre Hierros del Norte S.L., prestataria, y".to_owned()];
    for (n, name) in names.iter().enumerate() {
        let city = cities[n % 4];
        let line = format!("{name}, con domicilio en {city}, como prestamista;");
        text.push(case.says(&line, json!({"name": name, "city": city, "amount": null})));
    }
    let filler = |text: &mut Vec<String>| {
        for clause in 1..=size / 2 + 1 {
            text.push(format!(
                "Cláusula {clause}. Las partes acuerdan lo dispuesto en el artículo {}.",
                clause + 3
            ));
        }
    };
    filler(&mut text);
    text.extend(["ANEXO I".to_owned(), "| Prestamista | Importe |".to_owned(), "| --- | --- |".to_owned()]);
    for (n, name) in names.iter().enumerate() {
        let amount = (random.below(80) + 11) * 100_000;
        let line = format!("| {name} | {} |", money(amount * 100, true));
        text.push(case.says(&line, json!({"name": name, "city": null, "amount": amount})));
        case.truth.push(json!({"name": name, "city": cities[n % 4], "amount": amount}));
    }
    filler(&mut text);
    text.push("Firmas:".to_owned());
    for name in &names {
        text.push("________________".to_owned());
        text.push(case.says(&format!("Por {name}"), json!({"name": name, "city": null, "amount": null})));
    }
    case.add("contrato.docx", text);
    case
}

fn given_twice(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 150), &["Chair", "Desk", "Shelf", "Lamp"], size);
    let mut text: Vec<String> =
        ["Office World", "Invoice 771/24", "Article Pieces Price Sum"].map(str::to_owned).to_vec();
    for good in &goods {
        text.push(case.says(&good.plain(false), good.row()));
    }
    text.push(format!("Amount due {}", money(total(&goods), false)));
    case.add("scan.pdf", text.clone());
    case.add("scan (1).pdf", text);
    case.truth = truth(&goods);
    case
}

fn two_lines(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 160), &["Green tea", "Rice", "Soap", "Ball pen"], size);
    let mut page: Vec<String> = ["Corner market", "Bill 8812", "Item"].map(str::to_owned).to_vec();
    for good in &goods {
        case.names.insert(good.what.clone(), good.what.clone());
        let row = json!({"what": null, "count": good.count, "price": good.cents as f64 / 100.0,
                         "sum": (good.cents * good.count) as f64 / 100.0});
        page.push(good.what.clone());
        let line = format!(
            "{} x {} {}",
            good.count,
            money(good.cents, false),
            money(good.cents * good.count, false)
        );
        page.push(case.says(&line, row));
    }
    page.push(format!("Total {}", money(total(&goods), false)));
    case.add("bill.jpg", [page.clone(), vec!["Customer copy".to_owned()], page].concat());
    case.truth = truth(&goods);
    case
}

fn price_list(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"}, "price": {"type": "number"}}}}}));
    let mut random = Random(seed + 170);
    let syllables = ["ka", "lo", "mi", "ter", "vu", "san", "ri", "bel"];
    let mut text = vec!["Our prices".to_owned(), "Dish Price".to_owned()];
    for n in 0..size {
        let what = format!(
            "{}{}{}{}",
            syllables[n % 8],
            syllables[n / 8 % 8],
            syllables[n / 64 % 8],
            ["o", "a"][n / 512 % 2]
        );
        let cents = [450, 450, 620, 990][random.below(4)];
        let row = json!({"what": what, "price": cents as f64 / 100.0});
        text.push(case.says(&format!("{what} {}", money(cents, false)), row.clone()));
        case.truth.push(row);
        if n % 4 == 3 {
            text.push("with rice or bread, as you like".to_owned());
        }
    }
    text.push("All prices include service".to_owned());
    case.add("prices.pdf", text);
    case
}

fn several(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 180), &["Rose", "Tulip", "Fern", "Moss"], size * 3 / 2);
    for (number, chunk) in goods.chunks(size / 2).enumerate() {
        let mut text: Vec<String> =
            vec![format!("Delivery note {}", 310 + number), "Plant Pieces Price Sum".to_owned()];
        for good in chunk {
            text.push(case.says(&good.plain(false), good.row()));
        }
        text.push(format!("Sum {}", money(total(chunk), false)));
        case.add(&format!("{number}.pdf"), text);
        if number == 0 {
            case.add("empty.pdf", vec![String::new()]);
        }
    }
    case.truth = truth(&goods);
    case
}

fn letter(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    case.key = Some("what");
    let mut goods = goods(&mut Random(seed + 190), &["Valve", "Pump", "Gasket", "Flange"], size.min(60));
    goods.iter_mut().enumerate().for_each(|(n, good)| good.what = format!("{} no. {}", good.what, n + 1));
    let mut text = vec![
        "Dear Ms Grey,".to_owned(),
        "thank you for your order. We deliver next week what you asked for:".to_owned(),
    ];
    for good in &goods {
        let line = format!(
            "There will be {} pieces of the {} in a box of its own, as you wished.",
            good.count, good.what
        );
        let row = json!({"what": good.what, "count": good.count, "price": null, "sum": null});
        text.push(case.says(&line, row));
    }
    text.push("Yours sincerely, A. Brown".to_owned());
    case.add("letter.eml", text);
    let mut table = vec!["Invoice 66".to_owned(), "Article Pieces Price Sum".to_owned()];
    for good in &goods {
        table.push(case.says(&good.plain(false), good.row()));
    }
    case.add("invoice.pdf", table);
    case.truth = truth(&goods);
    case
}
