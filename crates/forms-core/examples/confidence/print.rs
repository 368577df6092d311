//! Papers as text: their single values in a layout, their list as a table, and lines that no field asks for.

use serde_json::{Map, Value};

use crate::random::Random;
use crate::values::{Style, make};
use crate::words::{Item, Make};

/// The text of a paper.
pub(crate) fn print(
    fields: &[Item],
    rows: Option<(&str, &[Item])>,
    title: &str,
    truth: &Map<String, Value>,
    style: Style,
    layout: &str,
    random: &mut Random,
) -> String {
    let mut order: Vec<&Item> = fields.iter().collect();
    if random.chance(0.5) {
        random.shuffle(&mut order);
    }
    let pairs: Vec<(String, String)> = order
        .iter()
        .filter(|field| style.is_beside(field.make))
        .filter_map(|field| Some((style.label(field), style.print(field.make, truth.get(field.name)?))))
        .collect();
    let mut text = format!("{}\n\n", title.to_uppercase());
    let mut singles = singles(&pairs, layout, random);
    for field in order.iter().filter(|field| !style.is_beside(field.make)) {
        if let Some(flag) = truth.get(field.name).and_then(Value::as_bool) {
            singles.push_str(&format!("{}\n", style.statement(&style.label(field), flag)));
        }
    }
    let list = rows.map(|(name, columns)| table(columns, truth.get(name), style, layout));
    let list = list.unwrap_or_default();
    match random.chance(0.5) {
        true => text.push_str(&format!("{singles}\n{list}")),
        false => text.push_str(&format!("{list}\n{singles}")),
    }
    // Values of no field at all.
    let noise = [
        format!("www.{}.example", random.below(999)),
        format!("Tel. {}", style.print(Make::Phone, &make(Make::Phone, random))),
        format!("{} / {}", 1 + random.below(3), 3),
        style.print(Make::Date, &make(Make::Date, random)),
        format!(
            "§ {} - {} EUR",
            random.below(40),
            style.print(Make::Money(9), &make(Make::Money(60), random))
        ),
    ];
    for line in noise.iter().take(random.below(5)) {
        text.push_str(&format!("\n{line}\n"));
    }
    text
}

fn singles(pairs: &[(String, String)], layout: &str, random: &mut Random) -> String {
    let mut out = String::new();
    match layout {
        "lines" => pairs.iter().for_each(|(label, value)| out.push_str(&format!("{label}: {value}\n"))),
        "table" => {
            pairs.iter().for_each(|(label, value)| out.push_str(&format!("| {label} | {value} |\n")));
        }
        "side by side" => {
            for two in pairs.chunks(2) {
                let cells: Vec<String> =
                    two.iter().map(|(label, value)| format!("{:<46}", format!("{label}: {value}"))).collect();
                out.push_str(&format!("{}\n", cells.join("  ").trim_end()));
            }
        }
        "label above" => {
            pairs.iter().for_each(|(label, value)| out.push_str(&format!("{label}\n{value}\n\n")));
        }
        "leaders" => {
            pairs.iter().for_each(|(label, value)| out.push_str(&format!("{label} ........ {value}\n")));
        }
        "stacked" => {
            for some in pairs.chunks(3) {
                let labels: Vec<&str> = some.iter().map(|(label, _)| label.as_str()).collect();
                let values: Vec<&str> = some.iter().map(|(_, value)| value.as_str()).collect();
                let rule = " --- |".repeat(some.len());
                out.push_str(&format!("| {} |\n|{rule}\n| {} |\n\n", labels.join(" | "), values.join(" | ")));
            }
        }
        "numbered" => {
            for (at, (label, value)) in pairs.iter().enumerate() {
                out.push_str(&format!("{}) {label} – {value}\n", at + 1));
            }
        }
        _ => {
            for some in pairs.chunks(1 + random.below(3)) {
                let clauses: Vec<String> =
                    some.iter().map(|(label, value)| format!("{label} {value}")).collect();
                out.push_str(&format!("{}.\n", clauses.join("; ")));
            }
        }
    }
    out
}

fn table(columns: &[Item], rows: Option<&Value>, style: Style, layout: &str) -> String {
    let cells = |row: &Value| -> Vec<String> {
        columns.iter().map(|column| style.print(column.make, &row[column.name])).collect()
    };
    let head: Vec<String> = columns.iter().map(|column| style.label(column)).collect();
    let body = rows.and_then(Value::as_array).into_iter().flatten().map(cells);
    let mut out = String::new();
    for (at, row) in std::iter::once(head).chain(body).enumerate() {
        let line = match layout {
            "lines" | "table" => {
                let rule = if at == 0 { format!("\n|{}", " --- |".repeat(row.len())) } else { String::new() };
                format!("| {} |{rule}", row.join(" | "))
            }
            "side by side" => row.iter().map(|cell| format!("{cell:<24}")).collect::<Vec<_>>().join(" "),
            "label above" => row.join("\t"),
            "leaders" => row.join(" ; "),
            _ => row.join("   "),
        };
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    out
}
