//! Pictures of text, read by a program that stands in for `tesseract`.

use std::path::Path;

use documents_core::render::Raster;
use serde_json::{Value, json};
use testkit::tesseract::ScriptedTesseract;

use crate::kit::{Home, Parts, Server, formwork, invoice_schema};

pub(crate) fn scripted(lines: &str) -> ScriptedTesseract {
    ScriptedTesseract::with_lines(lines).unwrap()
}

/// A server with this program for OCR.
fn with(home: &Home, program: &Path, more: &[(&str, &str)]) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_OCR__PROGRAM", program).envs(more.iter().copied());
    home.start_with(command)
}

/// A white picture of so many pixels a line.
pub(crate) fn picture(width: u32) -> Vec<u8> {
    Raster { width, height: 100, rgba: vec![255; width as usize * 100 * 4] }.to_png(false).unwrap()
}

async fn upload(server: &Server) -> Value {
    let records = server.upload(Parts::new().file("scan.png", &picture(300))).await.ok();
    records[0]["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_extracted_from_a_picture_that_was_read() {
    let home = Home::new("");
    let program = scripted("Invoice No: A-1\nTotal: 12.50 EUR");
    let server = with(&home, &program.path(), &[]);
    server.agent("inv", invoice_schema()).await;
    let file = upload(&server).await;
    let answer = server.delta("inv", "", &[&[&file]]).await;
    assert_eq!(
        answer["results"][0],
        json!({"invoice_number": "A-1", "due_date": null, "total": 12.5}),
        "{answer}"
    );
}

#[test]
fn the_command_line_reads_pictures_too_as_files_and_from_standard_input() {
    let home = Home::new("");
    let program = scripted("Invoice No: A-1");
    let scan = home.path("scan.png");
    std::fs::write(&scan, picture(300)).unwrap();
    let parse = |argument: &str| {
        let mut command = formwork(&home.path(""));
        command.env("FORMWORK_OCR__PROGRAM", program.path()).args(["parse", argument]);
        command.stdin(std::fs::File::open(&scan).unwrap());
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    for argument in [scan.to_str().unwrap(), "-"] {
        assert_eq!(parse(argument), (true, "Invoice No: A-1\n".to_owned()), "{argument}");
    }
}

#[test]
fn the_command_line_looks_for_the_program_only_when_a_page_needs_it() {
    let home = Home::new("");
    let (scan, text) = (home.path("scan.png"), home.path("a.txt"));
    std::fs::write(&scan, picture(300)).unwrap();
    std::fs::write(&text, "Invoice No: B-7").unwrap();
    let parse = |file: &Path| {
        let mut command = formwork(&home.path(""));
        command.env("FORMWORK_OCR__PROGRAM", "/nonexistent/tesseract").arg("parse").arg(file);
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(parse(&text), (true, String::new()));
    let (success, complaint) = parse(&scan);
    assert!(!success && complaint.contains("OCR cannot be used as configured"), "{complaint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_without_ocr_names_its_page_and_is_read_once_there_is_ocr() {
    let home = Home::new("");
    let mut server = with(&home, Path::new("off"), &[]);
    server.agent("inv", invoice_schema()).await;
    let file = upload(&server).await;
    let answer = server.delta("inv", "", &[&[&file]]).await;
    let error = &answer["failed"][0]["error"];
    assert_eq!(error["code"], "document_needs_ocr", "{answer}");
    assert!(
        error["message"].as_str().unwrap().starts_with("page 1 needs OCR, which is not available"),
        "{error}"
    );
    server.terminate();
    server.wait();
    let program = scripted("Invoice No: A-2\nTotal: 13.50 EUR");
    let server = with(&home, &program.path(), &[]);
    let answer = server.delta("inv", "", &[&[&file]]).await;
    assert_eq!(answer["results"][0]["invoice_number"], "A-2", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_hangs_fails_its_page_and_nothing_else() {
    let home = Home::new("");
    let program = ScriptedTesseract::hanging().unwrap();
    let server = with(&home, &program.path(), &[("FORMWORK_OCR__PAGE_SECONDS", "1")]);
    server.agent("inv", invoice_schema()).await;
    let (scan, text) =
        (upload(&server).await, server.files(&[("a.txt", "Invoice No: B-7\n")]).await.remove(0));
    let answer = server.delta("inv", "", &[&[&scan], &[&text["id"]]]).await;
    assert_eq!(answer["failed"][0]["error"]["code"], "document_ocr_failed", "{answer}");
    assert_eq!(answer["results"][0]["invoice_number"], "B-7");
}

#[test]
fn a_program_or_language_that_is_set_and_cannot_be_used_keeps_the_server_from_starting() {
    let home = Home::new("");
    let program = scripted("");
    let started = |environment: &[(&str, &str)]| {
        let output = formwork(&home.path("")).envs(environment.iter().copied()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let text = started(&[("FORMWORK_OCR__PROGRAM", "/nonexistent/tesseract")]);
    assert!(text.contains("OCR cannot be used as configured"), "{text}");
    let path = program.path();
    let program = path.to_str().unwrap();
    let text = started(&[("FORMWORK_OCR__PROGRAM", program), ("FORMWORK_OCR__LANGUAGES", "xyz")]);
    assert!(text.contains("no data for the language 'xyz'; it has deu, eng"), "{text}");
}
