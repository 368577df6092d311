//! What people read of the interface: the description in `docs`, its examples, and the reference page.

use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};

use crate::kit::{Home, Server, description, matches, operations};

#[test]
fn the_documented_description_is_current() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
    let documented = std::fs::read_to_string(path).unwrap();
    assert!(
        documented == formwork::http::openapi::document_text(),
        "run: formwork openapi > docs/openapi.json"
    );
    assert_eq!(Home::new("").told(&["openapi"]), documented.trim());
}

/// Fails where a content has no example, or one that its schema does not take.
fn exampled(contents: &Value, place: &str) {
    for (media, content) in contents.as_object().unwrap() {
        let failure = content.pointer("/examples/failure/$ref").map(|name| {
            let name = name.as_str().unwrap().trim_start_matches('#');
            &description().pointer(name).unwrap_or_else(|| panic!("{place}: {name}"))["value"]
        });
        let example = content.get("example").or(failure);
        let example = example.unwrap_or_else(|| panic!("{place} has no example of its {media}"));
        matches(&content["schema"], example, &format!("the example of {place}"));
    }
}

#[test]
fn every_body_and_every_answer_has_an_example_that_its_schema_takes() {
    for (method, path, operation) in operations() {
        if let Some(body) = operation.get("requestBody") {
            exampled(&body["content"], &format!("the body of {method} {path}"));
        }
        for (status, response) in operation["responses"].as_object().unwrap() {
            let content = response.get("content");
            // A notification of JSON-RPC is taken without an answer.
            let is_taken = (path == "/mcp" || path.ends_with("/a2a")) && status == "202";
            let has_none = is_taken || ["204", "302", "304"].contains(&status.as_str());
            assert_eq!(content.is_none(), has_none, "{method} {path} {status}");
            if let Some(content) = content {
                exampled(content, &format!("{method} {path} {status}"));
            }
        }
    }
}

#[test]
fn the_failures_that_are_shown_have_codes_that_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md");
    let documented = std::fs::read_to_string(path).unwrap();
    let failures = description()["components"]["examples"].as_object().unwrap();
    for (name, failure) in failures {
        let of_base = name.strip_prefix("OpenAiFailure").or(name.strip_prefix("AnthropicFailure"));
        let (status, failure) = match of_base {
            Some(status) => (status, &failure["value"]["error"]),
            None => (name.strip_prefix("Failure").unwrap(), &failure["value"]),
        };
        let code = failure["code"].as_str().unwrap();
        let row = documented.lines().find(|line| line.contains(&format!("`{code}`")));
        assert!(row.is_some_and(|row| row.contains(&format!("| {status} |"))), "{name}: {code}");
    }
    assert_eq!(failures["Failure401"]["value"]["status"], json!("failure"));
}

/// Fails where a page's text would have a browser ask another server.
fn refers_to_nothing_outside(text: &str) {
    for outside in ["http://", "https://", "\"//", "'//", "(//", "url(", "@import"] {
        assert!(!text.contains(outside), "{outside}");
    }
}

/// The names between quotes that begin so.
fn quoted<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.split('"').skip(1).step_by(2).filter(|value| value.starts_with(start)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_are_served_whole_to_anybody_and_refer_to_nothing_outside() {
    let server = Server::start();
    for (path, scripts) in
        [("/docs", &["introduction.js", "reference.js", "snippets.js"][..]), ("/", &["home.js"])]
    {
        let page = server.request(Method::GET, path).open().header("Accept", "text/html").send().await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
        refers_to_nothing_outside(page.text());
        let mut found = Vec::new();
        let mut open: Vec<String> = quoted(page.text(), "docs/").into_iter().map(str::to_owned).collect();
        while let Some(name) = open.pop() {
            let part = server.request(Method::GET, &format!("/{name}")).open().send().await;
            assert_eq!(part.status, 200, "{name}");
            refers_to_nothing_outside(part.text());
            for name in ["content-security-policy", "x-content-type-options"] {
                assert_eq!(part.header(name), page.header(name));
            }
            let is_script = part.header("content-type") == "text/javascript; charset=utf-8";
            assert!(is_script || part.header("content-type") == "text/css; charset=utf-8", "{name}");
            if is_script {
                let imports = part.text().lines().filter(|line| line.starts_with("import "));
                open.extend(
                    imports.flat_map(|line| quoted(line, "./")).map(|name| name.replace("./", "docs/")),
                );
                found.push(name.replace("docs/", ""));
            }
        }
        found.sort();
        assert_eq!(found, scripts, "{path}");
    }
    server.request(Method::GET, "/docs/other.js").open().send().await.fails(404, "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_get_the_home_page_as_json_with_paths_that_exist() {
    let server = Server::start();
    let home = server.request(Method::GET, "/").open().send().await;
    assert_eq!((home.status, home.header("vary")), (200, "accept"));
    let told = home.value();
    assert_eq!(told["name"], "formwork");
    for part in ["reference", "description", "health", "ready"] {
        let path = told[part].as_str().unwrap();
        assert_eq!(server.request(Method::GET, path).open().send().await.status, 200, "{path}");
    }
    let Some(page) = drawn(&format!("{}/", server.url)) else { return };
    assert!(page.contains(">Ready<"), "{page}");
    assert!(page.contains(&format!("curl {}/v1/me", server.url)), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_page_may_run_scripts_of_this_server_alone() {
    let server = Server::start();
    let page = server.request(Method::GET, "/docs").open().send().await;
    let policy = page.header("content-security-policy");
    let rules: Vec<&str> = policy.split(';').map(str::trim).collect();
    for rule in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
        assert!(rules.contains(&rule), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    let own = [" onclick=", " onload=", " style=", "<style", "<script>"];
    assert!(own.iter().all(|inline| !page.text().contains(inline)), "the policy forbids it");
}

/// The page after its script has run, or nothing, after saying so, where no Chromium is installed.
fn drawn(url: &str) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(url)
        .output();
    match output {
        Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
        Err(error) => {
            eprintln!("the reference page was not drawn, since there is no chromium: {error}");
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_reference_page_lists_every_operation() {
    let server = Server::start();
    let script = server.request(Method::GET, "/docs/reference.js").open().send().await;
    assert!(script.text().contains("fetch(\"./openapi.json\")"));
    for (method, path, _) in operations() {
        let method = format!("\"{}\"", method.as_str().to_lowercase());
        assert!(script.text().contains(&method), "the page does not draw {method} of {path}");
    }
    let Some(page) = drawn(&format!("{}/docs#run_delta", server.url)) else { return };
    for (method, path, operation) in operations() {
        let id = operation["operationId"].as_str().unwrap();
        assert!(page.contains(&format!("href=\"#{id}\"")), "{method} {path} is not in the index");
        assert!(page.contains(&format!("id=\"{id}\"")), "{method} {path} is not on the page");
    }
    assert!(page.contains("name=\"path:namespace\""), "the operation of the address is open");
    let first = format!("curl -X POST \"{}/v1/form\"", server.url);
    assert!(page.contains(&first) && page.contains("invoice_number"), "the introduction has the main job");
}
