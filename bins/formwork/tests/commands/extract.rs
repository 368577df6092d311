//! `formwork extract`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use calamine::{Data, Reader as _, Xlsx, open_workbook};
use serde_json::{Value, json};
use testkit::batch_vendor::{BatchFaults, BatchVendor};

use crate::{FORM, Workplace, invoice};

fn records(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_file_of_a_folder_gives_a_record() {
    let workplace = Workplace::with_invoices(3);
    let printed = workplace.printed(&["extract", "invoice.json", "inbox"]);
    let found: Vec<(Value, Value)> = records(&printed)
        .into_iter()
        .map(|record| (record["invoice_number"].clone(), record["total"].clone()))
        .collect();
    let expected: Vec<(Value, Value)> =
        (1..=3).map(|number| (json!(format!("HL-{number}")), json!(f64::from(number) + 0.5))).collect();
    assert_eq!(found, expected);
    assert!(printed.contains("0002.txt"), "each record names its document");
}

#[test]
fn a_schema_alone_is_a_form_and_the_extension_selects_the_format() {
    let workplace = Workplace::with_invoices(2);
    let form: Value = serde_json::from_str(FORM).unwrap();
    workplace.put("fields.json", &form["schema"].to_string());
    workplace.printed(&["extract", "fields.json", "inbox", "-o", "out.csv"]);
    let rows = workplace.read("out.csv");
    assert!(rows.contains("HL-1") && rows.contains("HL-2"), "{rows}");
    workplace.printed(&["extract", "fields.json", "inbox", "-o", "out.xlsx"]);
    let mut book: Xlsx<_> = open_workbook(workplace.path("out.xlsx")).unwrap();
    let sheet = book.worksheet_range("responses").unwrap();
    assert!(sheet.used_cells().any(|(_, _, cell)| *cell == Data::String("HL-2".to_owned())));
    assert!(
        !workplace.path("out.xlsx.run").exists(),
        "a checkpoint stays only while the records are not written"
    );
}

#[test]
fn files_are_grouped_by_folder_or_together() {
    let workplace = Workplace::new(&[("invoice.json", FORM)]);
    for (name, number) in [("a/1.txt", 1), ("a/2.txt", 2), ("b/3.txt", 3)] {
        workplace.put(&format!("inbox/{name}"), &invoice(number));
    }
    let by = |group: &str| {
        records(&workplace.printed(&["extract", "invoice.json", "inbox", "--group-by", group])).len()
    };
    assert_eq!((by("file"), by("folder"), by("all")), (3, 2, 1));
}

#[test]
fn a_running_server_is_used_with_its_key_from_the_environment() {
    let workplace = Workplace::with_invoices(1);
    let server = workplace.serve();
    let key = workplace.read("formwork-data/first-key");
    let away = Workplace::with_invoices(1);
    let extract = |key: &str| {
        let mut command = away.command(&["extract", "invoice.json", "inbox", "--url", &server.url]);
        command.env("FORMWORK_KEY", key).output().unwrap()
    };
    let output = extract(key.trim());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(records(&String::from_utf8(output.stdout).unwrap()).len(), 1);
    assert!(!away.path("formwork-data").exists(), "nothing is stored here");

    let refused = extract("fw_wrong");
    assert!(String::from_utf8(refused.stderr).unwrap().contains("API key"));
    let locked = workplace.refused(&["extract", "invoice.json", "inbox"]);
    assert!(locked.contains("another server uses the database") && locked.contains("--url"), "{locked}");
}

#[test]
fn an_interrupted_extraction_continues_with_the_same_run() {
    let workplace = Workplace::with_invoices(60);
    let arguments = ["extract", "invoice.json", "inbox", "-o", "out.jsonl"];
    let mut first = workplace.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    let checkpoint = workplace.path("out.jsonl.run");
    let began = Instant::now();
    while !checkpoint.exists()
        && began.elapsed() < Duration::from_secs(60)
        && first.try_wait().unwrap().is_none()
    {
        std::thread::sleep(Duration::from_millis(2));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    if workplace.path("out.jsonl").exists() {
        // The machine was faster than this test; then there is nothing to continue.
        return;
    }
    assert!(checkpoint.exists());

    let other = workplace.refused(&["extract", "invoice.json", "inbox/0001.txt", "-o", "out.jsonl"]);
    assert!(other.contains("belongs to another extraction"), "{other}");

    workplace.printed(&arguments);
    let found = records(&workplace.read("out.jsonl"));
    assert_eq!(found.len(), 60);
    assert!(
        (1..=60).all(|number| found.iter().any(|record| record["invoice_number"] == format!("HL-{number}")))
    );
    assert!(!checkpoint.exists());
    let sids: std::collections::BTreeSet<i64> =
        found.iter().filter_map(|record| record["sid"].as_i64()).collect();
    assert_eq!(sids.len(), 1, "one run");
}

/// With the own server of the command.
#[test]
fn an_extraction_can_go_through_batches_of_the_vendor() {
    let record = json!({"invoice_number": "HL-1", "total": 1.5}).to_string();
    let vendor = BatchVendor::start(&record, BatchFaults { polls: 1, ..BatchFaults::default() }).unwrap();
    let workplace = Workplace::with_invoices(2);
    let settings = format!(
        "[models.mistral]\nkey = \"Zq8vN3kTw5LpXy7RbMdHc2\"\nbase_url = \"{}\"\n[batches]\ngather_seconds = 0\npoll_seconds = 1\n",
        vendor.url()
    );
    workplace.put("formwork.toml", &settings);
    let arguments =
        ["extract", "invoice.json", "inbox", "--model", "m@mistral", "--batch", "--config", "formwork.toml"];
    let found = records(&workplace.printed(&arguments));
    assert!(found.len() == 2 && found.iter().all(|record| record["invoice_number"] == "HL-1"), "{found:?}");
    let ids: usize = vendor.batches().iter().map(|batch| batch.ids.len()).sum();
    assert_eq!((ids, vendor.direct_calls()), (2, 0));
    let agents = workplace.printed(&["agents", "list"]);
    let agent = agents.split_whitespace().next().unwrap();
    assert!(workplace.printed(&["runs", "list", agent]).contains("2 of 2  batch"));
}

#[test]
fn what_failed_is_named_and_the_others_are_written() {
    let workplace = Workplace::with_invoices(1);
    std::fs::write(workplace.path("inbox/broken.pdf"), b"%PDF-1.7\nnothing").unwrap();
    let output = workplace.run(&["extract", "invoice.json", "inbox", "-o", "out.jsonl"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("broken.pdf: ")
            && told.contains("1 of 2 records")
            && told.contains("formwork runs retry"),
        "{told}"
    );
    assert_eq!(records(&workplace.read("out.jsonl")).len(), 1);
}

#[test]
fn mistakes_are_told_before_anything_is_uploaded() {
    let workplace = Workplace::with_invoices(1);
    workplace.put("bad.json", r#"{"title": "Bad", "schema": {"total": {"type": "nummer"}}}"#);
    workplace.put("text.json", "not json");
    for (arguments, told) in [
        (&["extract", "missing.json", "inbox"][..], "missing.json cannot be read"),
        (&["extract", "text.json", "inbox"], "text.json is not JSON"),
        (&["extract", "bad.json", "inbox"], "/schema/total/type: 'type' must be one of"),
        (&["extract", "invoice.json", "inbox", "-o", "out.doc"], "must end in .xlsx, .csv, .jsonl or .json"),
        (&["extract", "invoice.json", "nowhere.txt"], "nowhere.txt"),
        (&["extract", "invoice.json"], "required"),
    ] {
        let refused = workplace.refused(arguments);
        assert!(refused.contains(told), "{arguments:?}: {refused}");
    }
}
