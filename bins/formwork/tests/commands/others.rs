//! Chat, runs, forms, knowledge bases.

use serde_json::Value;

use crate::{FORM, Workplace};

#[test]
fn a_form_that_is_exported_is_imported_as_it_was() {
    let workplace = Workplace::new(&[("invoice.json", FORM)]);
    let id = workplace.printed(&["forms", "import", "invoice.json"]);
    let exported = workplace.printed(&["forms", "export", id.trim()]);
    let [given, got]: [Value; 2] = [FORM, &exported].map(|text| serde_json::from_str(text).unwrap());
    assert_eq!(given, got);
    workplace.put("again.json", &exported);
    workplace.printed(&["forms", "import", "again.json", "--title", "Second"]);
    let listed = workplace.printed(&["forms", "list"]);
    assert!(listed.contains(id.trim()) && listed.contains("Second"), "{listed}");
    assert!(workplace.refused(&["forms", "export", "form_none"]).contains("there is no such form"));
    let versions = workplace.printed(&["forms", "versions", id.trim()]);
    assert!(versions.starts_with("*    1  ") && versions.ends_with("published\n"), "{versions}");
    let published = workplace.printed(&["forms", "publish", id.trim(), "1"]);
    assert_eq!(published, "Version 1 is in force.\n");
    assert!(workplace.refused(&["forms", "publish", id.trim(), "2"]).contains("no such version"));
    let gate = ["forms", "publish", id.trim(), "1", "--evaluation", "9", "--minimum", "0.9"];
    assert!(workplace.refused(&gate).contains("/evaluation: the form has no evaluation 9"));
}

#[test]
fn drafts_are_stored_compared_and_published() {
    let workplace = Workplace::new(&[
        (
            "a.json",
            r#"{"title": "Bill", "schema": {"number": {"type": "string"}, "note": {"type": "string"}}}"#,
        ),
        ("b.json", r#"{"number": {"type": "string", "required": true}, "total": {"type": "number"}}"#),
        ("bad.json", r#"{"total": {"type": "int"}}"#),
    ]);
    let id = workplace.printed(&["forms", "import", "a.json"]);
    let id = id.trim();
    assert!(workplace.refused(&["forms", "draft", id, "a.json"]).contains("there is no draft"));
    assert!(workplace.refused(&["forms", "draft", id, "bad.json"]).contains("/schema/total"));
    assert_eq!(workplace.printed(&["forms", "draft", id, "b.json"]), "2\n");
    let versions = workplace.printed(&["forms", "versions", id]);
    assert!(versions.lines().next().unwrap().ends_with("draft"), "{versions}");
    let told = workplace.printed(&["forms", "diff", id, "1", "2"]);
    assert_eq!(told, "- /note string\n~ /number required: none → true\n+ /total number\n");
    assert_eq!(workplace.printed(&["forms", "diff", id, "2", "2"]), "");
    assert!(workplace.refused(&["forms", "diff", id, "1", "9"]).contains("no such version"));
    assert_eq!(workplace.printed(&["forms", "publish", id, "2"]), "Version 2 is in force.\n");
}

#[test]
fn a_json_schema_and_a_template_are_forms_too() {
    let schema = r##"{"type": "object", "properties": {
        "number": {"type": "string"}, "rates": {"type": "object", "additionalProperties": {"type": "number"}}
    }, "required": ["number"]}"##;
    let workplace =
        Workplace::new(&[("invoice.json", schema), ("bad.json", r##"{"$ref": "#/$defs/none"}"##)]);
    let imported = workplace.run(&["forms", "import", "invoice.json"]);
    assert!(String::from_utf8(imported.stderr).unwrap().contains("/properties/rates: a map becomes a list"));
    let id = String::from_utf8(imported.stdout).unwrap();
    let exported = workplace.printed(&["forms", "export", id.trim(), "--json-schema"]);
    assert_eq!(serde_json::from_str::<Value>(&exported).unwrap()["required"], serde_json::json!(["number"]));
    assert!(workplace.refused(&["forms", "import", "bad.json"]).contains("where nothing stands"));
    let listed = workplace.printed(&["templates", "list"]);
    assert!(listed.lines().count() >= 30 && listed.contains("Delivery note"), "{listed}");
    let shown = workplace.printed(&["templates", "show", "receipt"]);
    workplace.put("receipt.json", &shown);
    workplace.put("one.txt", &workplace.printed(&["templates", "show", "receipt", "--sample"]));
    for form in ["receipt", "receipt.json"] {
        workplace.printed(&["extract", form, "one.txt", "-o", "out.jsonl"]);
        let record: Value = serde_json::from_str(workplace.read("out.jsonl").trim()).unwrap();
        assert_eq!(record["total_amount"], 7.0, "{record}");
        std::fs::remove_file(workplace.path("out.jsonl")).unwrap();
    }
    assert!(workplace.refused(&["templates", "show", "spaceship"]).contains("templates list"));
    assert!(workplace.refused(&["templates", "list", "--language", "xx"]).contains("one of en"));
}

#[test]
fn runs_are_listed_watched_exported_and_retried() {
    let workplace = Workplace::with_invoices(2);
    std::fs::write(workplace.path("inbox/broken.pdf"), b"%PDF-1.7\nnothing").unwrap();
    let told = String::from_utf8(workplace.run(&["extract", "invoice.json", "inbox"]).stderr).unwrap();
    let words: Vec<&str> = told.split('`').nth(1).unwrap().split(' ').collect();
    let [agent, sid] = [words[3], words[4]];
    assert!(workplace.printed(&["runs", "list", agent]).contains("2 of 3"));
    for verb in ["watch", "retry"] {
        let output = workplace.run(&["runs", verb, agent, sid]);
        assert_eq!(output.status.code(), Some(1), "{verb}");
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("partly_failed: 2 of 3"), "{verb}");
    }
    workplace.printed(&["runs", "export", agent, sid, "-o", "again.csv"]);
    assert!(workplace.read("again.csv").contains("HL-2"));
    assert!(workplace.refused(&["runs", "cancel", agent, sid]).contains("over"));
}

#[test]
fn a_conversation_fills_the_form_line_by_line() {
    let workplace = Workplace::with_invoices(1);
    workplace.printed(&["agents", "create", "invoices", "--form", "invoice.json"]);
    assert!(workplace.printed(&["agents", "list"]).starts_with("invoices  form_"));
    let server = workplace.serve();
    let key = workplace.read("formwork-data/first-key");
    let arguments = ["chat", "invoices", "--url", &server.url, "--key", key.trim()];
    let said = workplace.fed(&arguments, "The invoice number is HL-77\nthe total is 12.50\nyes\n");
    assert!(said.contains("HL-77") && said.contains("12.5"), "{said}");
    let from_file = workplace.fed(&arguments, "/file inbox/0001.txt\nhere it is\n/file nowhere.txt\n");
    assert!(from_file.contains("HL-1"), "{from_file}");
}

#[test]
fn what_is_added_to_a_knowledge_base_is_found() {
    let workplace = Workplace::new(&[
        ("rules/berths.md", "# Berth 4\n\nThe draught at berth 4 is 9.2 m.\n"),
        ("rules/tariff.md", "# Tariff\n\nPilotage costs 320 EUR a ship.\n"),
    ]);
    let base = workplace.printed(&["kb", "create", "Harbour rules"]);
    let base = base.trim();
    assert_eq!(workplace.printed(&["kb", "add", base, "rules"]), "2 of 2 files were added\n");
    let found = workplace.printed(&["kb", "search", base, "draught at berth 4", "--limit", "1"]);
    assert!(found.contains("9.2 m") && !found.contains("Pilotage"), "{found}");
    let answer: Value =
        serde_json::from_str(&workplace.printed(&["kb", "search", base, "pilotage", "--json"])).unwrap();
    assert!(answer["results"][0]["text"].as_str().unwrap().contains("320 EUR"));
    assert!(workplace.printed(&["kb", "list"]).contains("2 files  Harbour rules"));
    assert!(workplace.refused(&["kb", "search", "kb_none", "x"]).contains("there is no knowledge base"));
}

#[test]
fn help_shows_the_options_of_a_command_before_the_settings() {
    let workplace = Workplace::new(&[]);
    let help = workplace.printed(&["extract", "--help"]);
    let place = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"));
    assert!(place("--output") < place("--url") && place("--url") < place("--data-dir"));
    assert!(help.contains("formwork extract invoice.json inbox/ -o invoices.xlsx"));
    assert!(!workplace.path("formwork-data").exists());
}

#[test]
fn completion_and_manual_pages_name_every_command() {
    let workplace = Workplace::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = workplace.printed(&["completion", shell]);
        assert!(["extract", "templates", "group-by"].iter().all(|name| script.contains(name)), "{shell}");
    }
    workplace.put("formwork.bash", &workplace.printed(&["completion", "bash"]));
    let script = workplace.path("formwork.bash");
    assert!(std::process::Command::new("bash").arg("-n").arg(script).status().unwrap().success());
    let page = workplace.printed(&["man", "runs", "watch"]);
    assert!(page.contains(".TH formwork-runs-watch 1") && page.contains("SYNOPSIS"), "{page}");
    assert!(workplace.printed(&["man"]).contains("formwork\\-extract(1)"));
    assert!(workplace.refused(&["man", "runs", "fly"]).contains("there is no command 'runs fly'"));
    assert!(workplace.refused(&["completion", "abacus"]).contains("zsh"));
    workplace.printed(&["man", "--output", "man1"]);
    let help = workplace.printed(&["--help"]);
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names =
        commands.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(workplace.read(&format!("man1/formwork-{name}.1")).contains("SYNOPSIS"), "{name}");
    }
    assert!(workplace.refused(&["man", "--output", "man1/formwork.1"]).contains("cannot be written"));
}
