//! Every operation that takes documents takes those of the web.

use serde_json::{Value, json};
use testkit::upstream::{Reply, Upstream};

use super::{allowed, asked, site};
use crate::kit::{Home, invoice_schema};

const CATCH: &str = "Fish,Kilos\nCod,12\nHake,7\n";
const INVOICE: &str = "Invoice No: W-7\nTotal: 31.50 EUR\n";
const PAGES: &[(&str, &str, &str)] = &[
    ("/catch", "text/csv; charset=utf-8", CATCH),
    ("/invoice.txt", "text/plain", INVOICE),
    ("/again.txt", "text/plain", INVOICE),
];

#[tokio::test(flavor = "multi_thread")]
async fn utilities_read_documents_of_the_web() {
    let (home, site) = (Home::new(""), site(PAGES));
    let server = allowed(&home);
    let (catch, gone) = (format!("{}/catch", site.url()), format!("{}/gone", site.url()));
    let ask = async |operation: &str| {
        let body = json!({"urls": [catch, gone, format!("{}/invoice.txt", site.url())]});
        server.post(&format!("/v1/utilities/{operation}"), body).await.ok()
    };
    let parsed = ask("docparser").await;
    assert_eq!((&parsed[0]["url"], &parsed[0]["title"]), (&json!(catch), &json!("catch.csv")));
    assert!(parsed[0]["body"].as_str().unwrap().contains("Hake"), "{parsed}");
    assert_eq!((&parsed[1]["url"], &parsed[1]["error"]["code"]), (&json!(gone), &json!("fetch_status")));
    assert_eq!(parsed[1]["error"]["message"], "the site answered with status 404");
    let tables = ask("tables").await;
    assert_eq!(tables[0]["tables"][0]["rows"], json!([["Fish", "Kilos"], ["Cod", "12"], ["Hake", "7"]]));
    let pairs = ask("keyvalues").await;
    assert_eq!(
        (&pairs[2]["pairs"][0]["key"], &pairs[2]["pairs"][0]["value"]),
        (&json!("Invoice No"), &json!("W-7"))
    );
    let pictures = ask("thumbnail").await;
    let shown =
        pictures[0]["thumbnail"].as_str().unwrap().strip_prefix(server.url.as_str()).unwrap().to_owned();
    assert_eq!(server.get(&shown).await.header("content-type"), "image/png");
    assert!(pictures[1]["error"]["code"] == "fetch_status", "{pictures}");
    assert_eq!(
        (asked(&site, "/catch"), asked(&site, "/robots.txt")),
        (1, 1),
        "what was fetched is used again"
    );
    let agent = site.requests()[0].header("user-agent").unwrap().to_owned();
    assert!(agent.starts_with("Formwork/") && agent.contains("(+http"), "{agent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn extraction_and_generation_read_documents_of_the_web() {
    let (home, site) = (Home::new(""), site(PAGES));
    let server = allowed(&home);
    server.agent("inv", invoice_schema()).await;
    let url = |path: &str| json!(format!("{}{path}", site.url()));
    let answer =
        server.delta("inv", "", &[&[&url("/invoice.txt")], &[&url("/gone")], &[&url("/again.txt")]]).await;
    let record = json!({"invoice_number": "W-7", "due_date": null, "total": 31.5});
    assert_eq!(answer["results"], json!([record, record]), "{answer}");
    assert_eq!(answer["failed"][0]["error"]["code"], "fetch_status");
    assert_eq!(answer["failed"][0]["error"]["class"], "fetch");
    let body = json!({"modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [url("/invoice.txt")]});
    let said = server.post("/v2/generate", body).await.ok();
    assert!(said["text"].as_str().unwrap().contains("31.50"), "{said}");
    let body =
        json!({"modelId": "extractive@formwork", "prompt": "What is the total?", "urls": [url("/gone")]});
    server.post("/v2/generate", body).await.fails_at(400, "fetch_status", "/urls/0");
}

const PAGE: &str = "<!doctype html><html lang=\"en\"><head><title>Berths of the harbour</title></head><body>\
    <nav><ul><li><a href=\"/shop\">Total: 99.00 EUR in our shop</a></li></ul></nav>\
    <main><article><h1>Berths of the harbour</h1>\
    <p>The harbour has four berths for ships of every size, and the pilot brings each of them to its place.</p>\
    <p>Berth four is nine metres deep at low water, so that the largest of the ships that call here lie at it.</p>\
    <p>The invoice number of the last dredging was D-44, and its total was 7,200.00 EUR.</p></article></main>\
    <footer>Imprint and privacy</footer></body></html>";

#[tokio::test(flavor = "multi_thread")]
async fn a_web_page_is_its_main_content_and_not_what_is_around_it() {
    let (home, site) = (Home::new(""), site(&[("/berths", "text/html; charset=utf-8", PAGE)]));
    let server = allowed(&home);
    let url = json!(format!("{}/berths", site.url()));
    let parsed = server.post("/v1/utilities/docparser", json!({"urls": [url]})).await.ok();
    let body = parsed[0]["body"].as_str().unwrap();
    assert!(
        body.contains("nine metres deep") && !body.contains("shop") && !body.contains("Imprint"),
        "{body}"
    );
    assert_eq!(parsed[0]["title"], "Berths of the harbour");
    let picture = server.post("/v1/utilities/thumbnail", json!({"urls": [url]})).await.ok();
    assert!(picture[0]["thumbnail"].is_string(), "{picture}");
    server.agent("inv", invoice_schema()).await;
    let answer = server.delta("inv", "", &[&[&url]]).await;
    assert_ne!(answer["results"][0]["total"], json!(99.0), "the navigation is no evidence: {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_document_leaves_no_file_behind() {
    let lines = "All hands on deck, the tide is turning.\n".repeat(50_000);
    let site = Upstream::start(move |_| Reply::whole(200, "text/plain", lines.clone())).unwrap();
    let home = Home::new("fetch.cache_seconds = 0\nfetch.robots = \"off\"");
    let server = allowed(&home);
    let body = json!({"urls": [format!("{}/long.txt", site.url())]});
    let answer = server.post("/v1/utilities/docparser", body).await.ok();
    assert!(answer[0]["body"].as_str().unwrap().len() > 1_000_000, "{:.200}", answer.to_string());
    assert_eq!(server.stored("fetched"), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_site_is_the_error_of_its_item() {
    let site = Upstream::start(|request| match request.path.as_str() {
        "/robots.txt" => Reply::whole(200, "text/plain", "user-agent: formwork\ndisallow: /private"),
        "/circle" => Reply::whole_with(302, &[("location", "/circle")], ""),
        "/inside" => Reply::whole_with(302, &[("location", "http://169.254.169.254/latest/meta-data")], ""),
        "/stacked" => Reply::whole_with(200, &[("content-encoding", "gzip, gzip")], "x"),
        "/large" => Reply::whole(200, "text/plain", "x".repeat(5_000)),
        "/broken" => Reply::raw().write("nonsense\r\n\r\n").close(),
        _ => Reply::whole(200, "text/plain", "fine"),
    });
    let site = site.unwrap();
    let home = Home::new("fetch.document_bytes = 4000");
    let server = allowed(&home);
    let cases = [
        ("/private/a", "fetch_robots"),
        ("/circle", "fetch_redirects"),
        ("/inside", "fetch_denied"),
        ("/stacked", "fetch_unusable"),
        ("/large", "fetch_too_large"),
        ("/broken", "fetch_unusable"),
    ];
    let urls: Vec<String> = cases.iter().map(|(path, _)| format!("{}{path}", site.url())).collect();
    let answer = server.post("/v1/utilities/docparser", json!({"urls": urls})).await.ok();
    for (item, (path, code)) in answer.as_array().unwrap().iter().zip(cases) {
        assert_eq!(item["error"]["code"], code, "{path}: {item}");
        assert!(!item["error"]["message"].as_str().unwrap().contains("169.254"), "{item}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_web_switched_off_no_url_is_fetched() {
    let site = site(PAGES);
    let home = Home::new("fetch.web = \"off\"\nfetch.allow = \"127.0.0.1\"");
    let server = home.start();
    let body = json!({"urls": [format!("{}/catch", site.url())]});
    let answer: Value = server.post("/v1/utilities/docparser", body).await.ok();
    assert_eq!(answer[0]["error"]["code"], "fetch_unavailable");
    assert_eq!(site.count(), 0);
}
