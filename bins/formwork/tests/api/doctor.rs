//! `formwork doctor`: what it finds, and how it ends.

use std::net::TcpListener;
use std::process::Output;

use serde_json::Value;

use crate::kit::{Home, formwork};
use crate::ocr::scripted;

fn doctor(home: &Home, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = formwork(&home.path(""));
    command.args(["doctor"]).args(arguments).envs(environment.iter().copied()).output().unwrap()
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn finding<'a>(report: &'a Value, name: &str) -> (&'a str, &'a str) {
    let found = report["checks"].as_array().unwrap().iter().find(|finding| finding["name"] == name);
    let found = found.unwrap_or_else(|| panic!("{name}: {report}"));
    (found["state"].as_str().unwrap(), found["message"].as_str().unwrap())
}

#[test]
fn a_fresh_machine_can_serve_and_nothing_is_made_by_looking() {
    let home = Home::new("");
    let output = doctor(&home, &["--json"], &[]);
    let report = report(&output);
    assert!(output.status.success() && report["ok"] == true, "{report}");
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    for name in
        ["settings", "data folder", "blobs", "database", "search index", "document parser", "OCR", "models"]
    {
        assert_eq!(finding(&report, name).0, "ok", "{name}: {report}");
    }
    assert!(finding(&report, "data folder").1.contains("will be created"), "{report}");
    assert!(cfg!(not(target_os = "linux")) || finding(&report, "sandbox").1.contains("seccomp"), "{report}");
    assert!(finding(&report, "address").1.contains("is free"), "{report}");
    assert!(!home.path("data").exists());
    let text = String::from_utf8(doctor(&home, &[], &[]).stdout).unwrap();
    assert!(text.starts_with("formwork ") && text.ends_with("The server can serve.\n"), "{text}");
    assert_eq!(text.lines().count(), report["checks"].as_array().unwrap().len() + 2, "{text}");
}

#[test]
fn a_data_folder_in_use_is_reported_with_its_database() {
    let home = Home::new("");
    home.told(&["migrate"]);
    let database = doctor(&home, &["--json"], &[]);
    assert!(database.status.success(), "{database:?}");
    let (state, message) = (finding(&report(&database), "database").0.to_owned(), report(&database));
    assert_eq!(state, "ok");
    assert!(finding(&message, "database").1.contains("is up to date"), "{message}");
}

#[test]
fn what_keeps_the_server_from_serving_fails() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let home = Home::new("");
    let output = doctor(&home, &["--json", "--listen", &address], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&report(&output), "address").0, "failed");

    std::fs::write(home.path("file"), "").unwrap();
    let output = doctor(&home, &["--json", "--data-dir", "file"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&report(&output), "data folder").0, "failed");

    let output = doctor(&home, &["--json", "--database-url", "postgres://ada:s3cret@127.0.0.1:1/x"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(finding(&report(&output), "database").0, "failed");
    assert!(!String::from_utf8(output.stdout).unwrap().contains("s3cret"));

    let output = doctor(&home, &["--json"], &[("FORMWORK_LIMITS__FILE_BYTES", "many")]);
    assert_eq!(output.status.code(), Some(1));
    let report = report(&output);
    assert_eq!((finding(&report, "settings").0, report["ok"].as_bool()), ("failed", Some(false)));
    let text =
        String::from_utf8(doctor(&home, &[], &[("FORMWORK_LIMITS__FILE_BYTES", "many")]).stdout).unwrap();
    assert!(text.contains("FAILED") && text.ends_with("The server cannot serve.\n"), "{text}");
}

#[test]
fn a_sandbox_that_is_off_is_a_warning() {
    let home = Home::new("");
    let output = doctor(&home, &["--json"], &[("FORMWORK_WORKERS__SANDBOX", "off")]);
    let report = report(&output);
    let (state, message) = finding(&report, "sandbox");
    assert!(output.status.success() && state == "warning" && message.contains("workers.sandbox"), "{report}");
}

#[test]
fn keys_of_vendors_are_named_and_never_shown() {
    let home = Home::new("");
    let keys = [("OPENAI_API_KEY", "sk-s3cret"), ("GEMINI_API_KEY", "AIs3cret")];
    let output = doctor(&home, &["--json"], &keys);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(!text.contains("s3cret"), "{text}");
    assert!(finding(&report(&output), "models").1.contains("Keys are set for OpenAI, Google."), "{text}");
}

#[test]
fn ocr_is_found_on_the_path_and_where_it_is_missing_it_is_said_how_to_get_it() {
    let (home, program) = (Home::new(""), scripted(""));
    let path = program.path();
    let folder = path.parent().unwrap().to_str().unwrap();
    let output = doctor(&home, &["--json"], &[("FORMWORK_OCR__PROGRAM", ""), ("PATH", folder)]);
    let found = report(&output);
    assert!(output.status.success(), "{output:?}");
    let told = format!("{} is tesseract 9.8.7; it reads eng, deu.", path.display());
    assert_eq!(finding(&found, "OCR"), ("ok", told.as_str()));

    let nowhere = home.path("nowhere").display().to_string();
    let output = doctor(&home, &["--json"], &[("FORMWORK_OCR__PROGRAM", ""), ("PATH", &nowhere)]);
    let found = report(&output);
    let (state, message) = finding(&found, "OCR");
    assert!(output.status.success() && state == "warning", "{output:?}");
    assert!(message.contains("apt install tesseract-ocr"), "{message}");

    let output = doctor(&home, &["--json"], &[("FORMWORK_OCR__PROGRAM", "/nonexistent/tesseract")]);
    assert_eq!(output.status.code(), Some(1), "one that is named must be there");
}
