//! Layouts that the engine's rules were written with.

use serde_json::{Value, json};

use super::cases::{Case, Good, Layout, Random, goods, money, total};

pub(super) const LAYOUTS: &[(&str, Layout)] = &[
    ("table printed twice", printed_twice),
    ("invoice with a copy", copy),
    ("pages with sums carried over", carried_over),
    ("equal rows of a table", equal_rows),
    ("receipt with equal purchases", receipt),
    ("lenders of a contract", lenders),
    ("two receipts of equal goods", two_receipts),
    ("documents that overlap", overlap),
    ("order and invoice", order_and_invoice),
    ("comments and sums between rows", comments),
    // Was held out first, and wrong.
    ("section of a page printed again", section_again),
];

const NAMES: &[&str] =
    &["Bolt", "Hinge", "Angle bracket", "Washer", "Steel sheet", "Paint", "Drill", "Saw blade"];
const HEAD: &str = "Article Pieces Price Sum";

fn lines(case: &mut Case, goods: &[Good]) -> Vec<String> {
    goods.iter().map(|good| case.says(&good.plain(false), good.row())).collect()
}

fn truth(goods: &[Good]) -> Vec<Value> {
    goods.iter().map(Good::row).collect()
}

fn printed_twice(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed), NAMES, if size > 100 { size / 2 } else { 2 + seed as usize });
    let mut table = vec![HEAD.to_owned()];
    table.extend(lines(&mut case, &goods));
    let text = [table.clone(), vec![String::new()], table].concat();
    case.add("table.txt", text);
    case.truth = truth(&goods);
    case
}

fn section_again(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 120), &["Lamp", "Cable", "Switch", "Fuse"], size);
    let mut section = vec![
        "# Delivery note 5520".to_owned(),
        String::new(),
        "| Article | Pieces | Price | Sum |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    for good in &goods {
        section.push(case.says(&good.cells(false), good.row()));
    }
    section.extend([String::new(), "Received in good order.".to_owned(), String::new()]);
    case.add("note.md", [section.clone(), section].concat());
    case.truth = truth(&goods);
    case
}

fn copy(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 10), NAMES, size);
    let mut page: Vec<String> =
        ["Northern Iron Ltd", "12 Forge Lane, Leeds", "Invoice No. 20177", "Date: 12 March 2024", HEAD]
            .map(str::to_owned)
            .to_vec();
    page.extend(lines(&mut case, &goods));
    page.push(format!("Total {}", money(total(&goods), false)));
    page.push("Payable within 30 days".to_owned());
    let marker = ["COPY", "Duplicate"][seed as usize % 2].to_owned();
    case.add("invoice.pdf", [page.clone(), vec![marker], page].concat());
    case.truth = truth(&goods);
    case
}

fn carried_over(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 20), NAMES, size * 2);
    let rows = lines(&mut case, &goods);
    let each = 4 + 20 * usize::from(size > 100);
    let mut text = vec!["Statement of Northern Iron Ltd".to_owned()];
    for (page, chunk) in rows.chunks(each).enumerate() {
        text.push(format!("Northern Iron Ltd, statement, page {}", page + 1));
        if page > 0 {
            text.push(format!("Brought forward {}", money(total(&goods[..page * each]), false)));
        }
        text.push(HEAD.to_owned());
        text.extend_from_slice(chunk);
        text.push(format!(
            "Carried forward {}",
            money(total(&goods[..(page + 1) * each.min(goods.len() - page * each)]), false)
        ));
        text.push(String::new());
    }
    case.add("statement.pdf", text);
    case.truth = truth(&goods);
    case
}

fn equal_rows(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let mut all = goods(&mut Random(seed + 30), NAMES, size);
    for at in (2..all.len()).step_by(3) {
        all[at] = all[at - 1].clone();
    }
    let mut text = vec![
        "# Deliveries".to_owned(),
        String::new(),
        "| Article | Pieces | Price | Sum |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    for good in &all {
        text.push(case.says(&good.cells(false), good.row()));
    }
    text.push(format!("| Total | | | {} |", money(total(&all), false)));
    case.add("deliveries.md", text);
    case.truth = truth(&all);
    case
}

fn receipt(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let mut random = Random(seed + 40);
    let mut all = goods(&mut random, &["Coffee", "Tea", "Bread", "Milk", "Soap"], size);
    all[2] = all[1].clone();
    let last = all.len() - 1;
    all[last] = all[0].clone();
    let mut text = vec!["Corner shop".to_owned(), "Receipt 4411, 3 May 2024 10:31".to_owned()];
    text.extend(lines(&mut case, &all));
    text.extend([format!("Total {}", money(total(&all), false)), "Thank you".to_owned()]);
    case.add("receipt.jpg", text);
    case.truth = truth(&all);
    case
}

fn lenders(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "name": {"type": "string"}, "commitment": {"type": "number"}}}}}));
    case.key = Some("name");
    let mut random = Random(seed + 50);
    let count = if size > 100 { 14 + 20 * seed as usize } else { 5 };
    let cities =
        ["Harbor", "Granite", "Meridian", "Lakeside", "Pioneer", "Summit", "Coastal", "Prairie", "Union"];
    let names: Vec<String> = (0..count)
        .map(|n| {
            format!(
                "{} {} BANK, N.A.",
                cities[n % 9].to_uppercase(),
                ["FIRST", "NATIONAL", "TRUST", "CITY"][n / 9 % 4]
            )
        })
        .collect();
    let mut text = vec![
        "CREDIT AGREEMENT".to_owned(),
        "dated as of 3 May 2024, among NORTHERN IRON LTD, as Borrower, and the banks that follow:".to_owned(),
    ];
    for name in &names {
        text.push(case.says(&format!("{name}, as a Lender,"), json!({"name": name, "commitment": null})));
    }
    clauses(&mut text, size);
    text.extend(["SCHEDULE 1".to_owned(), "Lender Commitment".to_owned()]);
    for name in &names {
        let amount = (random.below(90) + 10) * 1_000_000;
        let row = json!({"name": name, "commitment": amount});
        text.push(case.says(&format!("{name} {}", money(amount * 100, false)), row.clone()));
        case.truth.push(row);
    }
    clauses(&mut text, size);
    text.push("IN WITNESS WHEREOF the parties have signed this agreement.".to_owned());
    for name in &names {
        text.push(case.says(name, json!({"name": name, "commitment": null})));
        text.extend(["By: ____________", "Name: J. Doe", "Title: Director", ""].map(str::to_owned));
    }
    case.add("agreement.htm", text);
    case
}

/// Articles of a contract; many where the case is long.
fn clauses(text: &mut Vec<String>, size: usize) {
    for clause in 1..=size / 3 + 2 {
        text.push(format!(
            "{clause}. Each Lender severally agrees to make loans to the Borrower, and section {} applies to them.",
            clause + 1
        ));
        text.push("Interest is owed from the day of the loan; it is computed on 360 days.".to_owned());
    }
}

fn two_receipts(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 60), &["Coffee", "Tea", "Bread", "Milk", "Soap"], size / 2);
    for (number, day) in [(4411, 3), (4502, 9)] {
        let mut text =
            vec!["Corner shop".to_owned(), format!("Receipt {number}, {day} May 2024"), HEAD.to_owned()];
        text.extend(lines(&mut case, &goods));
        text.extend([format!("Total {}", money(total(&goods), false)), "Thank you".to_owned()]);
        case.add(&format!("{number}.jpg"), text);
        case.truth.extend(truth(&goods));
    }
    case
}

fn overlap(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 70), NAMES, size);
    let rows = lines(&mut case, &goods);
    let middle = rows.len() / 2;
    let mut first = vec!["Northern Iron Ltd".to_owned(), HEAD.to_owned()];
    first.extend_from_slice(&rows[..middle + 2]);
    case.add("1.jpg", first);
    let mut second = rows[middle - 1..].to_vec();
    second.push(format!("Total {}", money(total(&goods), false)));
    case.add("2.jpg", second);
    case.truth = truth(&goods);
    case
}

fn order_and_invoice(seed: u64, size: usize) -> Case {
    let mut case = Case::of(&json!({"rows": {"type": "array", "items": {"type": "object", "properties": {
        "code": {"type": "string"}, "what": {"type": "string"}, "count": {"type": "integer"},
        "price": {"type": "number"}}}}}));
    case.key = Some("code");
    let goods = goods(&mut Random(seed + 80), NAMES, size);
    let (mut order, mut invoice) = (
        vec!["Order 88 of 1 May 2024".to_owned(), "Code Article Pieces".to_owned()],
        vec!["Invoice 913 of 9 May 2024".to_owned(), "Code Article Pieces Price".to_owned()],
    );
    for (number, good) in goods.iter().enumerate() {
        let code = format!("A-{}", 1001 + number);
        let row =
            |price: Value| json!({"code": code, "what": good.what, "count": good.count, "price": price});
        order.push(case.says(&format!("{code} {} {}", good.what, good.count), row(Value::Null)));
        let whole = row(json!(good.cents as f64 / 100.0));
        let line = format!("{code} {} {} {}", good.what, good.count, money(good.cents, false));
        invoice.push(case.says(&line, whole.clone()));
        case.truth.push(whole);
    }
    case.add("order.pdf", order);
    case.add("invoice.pdf", invoice);
    case
}

fn comments(seed: u64, size: usize) -> Case {
    let mut case = Case::goods();
    let goods = goods(&mut Random(seed + 90), NAMES, size);
    let mut text = vec!["Quotation 71".to_owned()];
    for (group, chunk) in goods.chunks(3).enumerate() {
        text.extend([format!("Lot {}", group + 1), HEAD.to_owned()]);
        for (at, good) in chunk.iter().enumerate() {
            text.push(case.says(&good.plain(false), good.row()));
            match at {
                0 => text.push("as agreed with Mr Hall on 3 May".to_owned()),
                1 => text.push(format!("in boxes of {} each, packed", good.count)),
                _ => {}
            }
        }
        text.push(format!("Subtotal {}", money(total(chunk), false)));
    }
    text.push(format!("Total {}", money(total(&goods), false)));
    case.add("quotation.pdf", text);
    case.truth = truth(&goods);
    case
}
