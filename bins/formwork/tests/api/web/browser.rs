//! Pages that need scripts, shown by a program that stands in for Chromium.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::site;
use crate::kit::{Home, Server, formwork, settle};

const SHELL: &str = "<!doctype html><title>Tides</title><div id=root></div>\
                     <noscript>You need to enable JavaScript to run this app.</noscript>\
                     <script src='/app.js'></script>";
const PLAIN: &str = "<!doctype html><title>Plain</title><article><h1>Plain</h1><p>The harbour office writes down the \
                     height of the water twice a day, in the morning and in the evening, and has done so for a \
                     century without a break.</p></article>";

/// A script of the shell.
fn scripted(home: &Home, work: &str) -> PathBuf {
    let program = home.path("chromium");
    // Written by another process, for one that is open for writing cannot be executed.
    let written = Command::new("sh")
        .args(["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$2\"", "sh", work])
        .arg(&program)
        .status();
    assert!(written.unwrap().success());
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// A server whose browser is this script of the shell.
pub(super) fn with(home: &Home, work: &str) -> Server {
    let program = scripted(home, work);
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_FETCH_ALLOW", "127.0.0.1").env("FORMWORK_BROWSER__PROGRAM", &program);
    // Root may run the tests.
    command.env("FORMWORK_BROWSER__SANDBOX", "off");
    home.start_with(command)
}

async fn parsed(server: &Server, urls: &[String]) -> Value {
    server.post("/v1/utilities/webparser", json!({ "urls": urls })).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_text_is_shown_by_the_browser_and_no_other_is() {
    let home = Home::new("");
    let work = "echo started >> \"$(dirname \"$0\")/starts\"\n\
                echo '<title>Tides</title><article><h1>Tides</h1><p>The water rises twice a day along this coast, \
                and the fishermen of the old harbour know when without a clock.</p></article>'";
    let server = with(&home, work);
    let site = site(&[("/shell", "text/html", SHELL), ("/plain", "text/html", PLAIN)]);
    let url = |path: &str| format!("{}{path}", site.url());
    let pages = parsed(&server, &[url("/plain"), url("/shell")]).await;
    assert!(pages[0]["body"].as_str().unwrap().contains("harbour office"), "{pages}");
    assert!(pages[1]["body"].as_str().unwrap().contains("The water rises twice a day"), "{pages}");
    assert_eq!((&pages[0]["needsScript"], &pages[1]["needsScript"]), (&json!(false), &json!(true)));
    assert_eq!(std::fs::read_to_string(home.path("starts")).unwrap(), "started\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_fails_or_shows_less_leaves_the_page_as_it_was_sent() {
    for work in ["exit 1", "echo '<p>'", "kill -9 $$"] {
        let home = Home::new("");
        let server = with(&home, work);
        let site = site(&[("/shell", "text/html", SHELL)]);
        let pages = parsed(&server, &[format!("{}/shell", site.url())]).await;
        assert_eq!(pages[0]["title"], "Tides", "{pages}");
        assert_eq!((&pages[0]["needsScript"], &pages[0]["error"]), (&json!(true), &Value::Null));
    }
}

/// A page without any text.
const BARE: &str = "<!doctype html><title>Tides</title><div id=root></div><script src='/app.js'></script>";

/// What the browser writes of a page that has no text without it.
const WRITES: &str = "echo started >> \"$(dirname \"$0\")/starts\"\n\
    echo '<title>Tides</title><article><h1>Tides</h1><p>The water rises twice a day along this coast, and the \
    fishermen of the old harbour know when without a clock.</p></article>'";

#[tokio::test(flavor = "multi_thread")]
async fn documents_by_url_are_what_the_browser_shows_and_it_is_started_once_for_all() {
    let home = Home::new("");
    let server = with(&home, WRITES);
    let site = site(&[("/shell", "text/html", BARE)]);
    let url = format!("{}/shell", site.url());
    let parsed = server.post("/v1/utilities/docparser", json!({"urls": [url, url]})).await.ok();
    for item in parsed.as_array().unwrap() {
        assert!(item["body"].as_str().unwrap().contains("rises twice a day"), "{parsed}");
    }
    let body =
        json!({"modelId": "extractive@formwork", "prompt": "How often does the water rise?", "urls": [url]});
    let said = server.post("/v2/generate", body).await.ok();
    assert!(said["text"].as_str().unwrap().contains("twice a day"), "{said}");
    let made = server.post("/knowledgebase", json!({"name": "Harbour"})).await.ok();
    let base = made["knowledgeId"].as_str().unwrap();
    server.post(&format!("/knowledgebase/{base}/files"), json!({"urls": [url]})).await.ok();
    let found = async || {
        let found =
            server.post(&format!("/knowledgebase/{base}/search"), json!({"query": "fishermen"})).await;
        found.ok()["results"][0]["title"] == "Tides.md"
    };
    settle("the page in the base", found).await;
    assert_eq!(std::fs::read_to_string(home.path("starts")).unwrap(), "started\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_the_browser_did_not_show_says_so_and_another_that_has_no_text_does_too() {
    for (work, code) in [("exit 1", "page_not_shown"), ("echo '<p>'", "document_without_text")] {
        let home = Home::new("");
        let server = with(&home, work);
        let site = site(&[("/shell", "text/html", BARE)]);
        let body = json!({"urls": [format!("{}/shell", site.url())]});
        let parsed = server.post("/v1/utilities/docparser", body).await.ok();
        assert_eq!(parsed[0]["error"]["code"], code, "{parsed}");
    }
}

#[test]
fn the_doctor_shows_a_sample_with_the_browser_and_tells_where_there_is_none() {
    let home = Home::new("");
    let work = "case $1 in --version) echo Chromium 9.8.7;; *) echo '<p id=\"a\">shown by script</p>';; esac";
    let program = scripted(&home, work);
    let told = |environment: &[(&str, &str)]| {
        let mut command = formwork(&home.path(""));
        command.env("FORMWORK_BROWSER__SANDBOX", "off").envs(environment.iter().copied());
        let output = command.args(["doctor", "--json"]).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = report["checks"].as_array().unwrap().iter().find(|check| check["name"] == "browser");
        let found = found.unwrap_or_else(|| panic!("{report}"));
        (found["state"].as_str().unwrap().to_owned(), found["message"].as_str().unwrap().to_owned())
    };
    let folder = program.parent().unwrap().to_str().unwrap();
    let (state, message) = told(&[("FORMWORK_BROWSER__PROGRAM", ""), ("PATH", folder)]);
    let expected = format!("{} is Chromium 9.8.7; its sandbox is off (browser.sandbox).", program.display());
    assert_eq!((state.as_str(), message), ("ok", expected));

    let (state, message) = told(&[("FORMWORK_BROWSER__PROGRAM", ""), ("PATH", "/nonexistent")]);
    assert!(state == "warning" && message.contains("apt install chromium"), "{message}");
    let (state, message) = told(&[("FORMWORK_BROWSER__PROGRAM", "/nonexistent/chromium")]);
    assert!(state == "failed" && message.contains("it is not an executable file"), "{message}");
    assert_eq!(told(&[("FORMWORK_BROWSER__PROGRAM", "off")]).0, "ok");
    assert_eq!(told(&[("FORMWORK_BROWSER__PROGRAM", ""), ("FORMWORK_FETCH__WEB", "off")]).0, "ok");
}
