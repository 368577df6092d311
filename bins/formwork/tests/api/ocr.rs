//! Pictures of text, read by a program that stands in for `tesseract`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use documents_core::render::Raster;
use serde_json::{Value, json};

use crate::kit::{Home, Parts, Server, formwork, invoice_schema};

/// A program that says what it is as `tesseract` does, and reads these lines of text in every picture; none where
/// `lines` is `-`, which hangs. Its folder stays until it is removed.
pub(crate) fn scripted(lines: &str) -> PathBuf {
    let head =
        "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";
    let mut tsv = head.to_owned();
    for (row, line) in lines.lines().enumerate() {
        let mut left = 10;
        for (place, word) in line.split(' ').enumerate() {
            let (width, top) = (8 * word.len(), 10 + 20 * row);
            tsv.push_str(&format!("5\t1\t1\t1\t{row}\t{place}\t{left}\t{top}\t{width}\t12\t95\t{word}\n"));
            left += width + 5;
        }
    }
    let work = if lines == "-" { "exec /bin/sleep 600".to_owned() } else { format!("cat <<'END'\n{tsv}END") };
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in\n--version) echo 'tesseract 9.8.7'; exit 0;;\n\
         --list-langs) printf 'List of available languages (2):\\ndeu\\neng\\n'; exit 0;;\nesac\n\
         cat > /dev/null\n{work}\n"
    );
    let path = tempfile::tempdir().unwrap().keep().join("tesseract");
    // By another process, so that no child of this one has it open for writing.
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(&path)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    writer.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
    path
}

/// A server with this program for OCR.
fn with(home: &Home, program: &str, more: &[(&str, &str)]) -> Server {
    let mut command = formwork(&home.path(""));
    command.env("FORMWORK_OCR__PROGRAM", program).envs(more.iter().copied());
    home.start_with(command)
}

/// A white picture.
fn picture() -> Vec<u8> {
    Raster { width: 300, height: 100, rgba: vec![255; 300 * 100 * 4] }.to_png(false).unwrap()
}

async fn upload(server: &Server) -> Value {
    let records = server.upload(Parts::new().file("scan.png", &picture())).await.ok();
    records[0]["id"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_extracted_from_a_picture_that_was_read() {
    let home = Home::new("");
    let program = scripted("Invoice No: A-1\nTotal: 12.50 EUR");
    let server = with(&home, program.to_str().unwrap(), &[]);
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
    std::fs::write(&scan, picture()).unwrap();
    let parse = |argument: &str| {
        let mut command = formwork(&home.path(""));
        command.env("FORMWORK_OCR__PROGRAM", &program).args(["parse", argument]);
        command.stdin(std::fs::File::open(&scan).unwrap());
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    for argument in [scan.to_str().unwrap(), "-"] {
        assert_eq!(parse(argument), (true, "Invoice No: A-1\n".to_owned()), "{argument}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_without_ocr_names_its_page_and_is_read_once_there_is_ocr() {
    let home = Home::new("");
    let mut server = with(&home, "off", &[]);
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
    let server = with(&home, program.to_str().unwrap(), &[]);
    let answer = server.delta("inv", "", &[&[&file]]).await;
    assert_eq!(answer["results"][0]["invoice_number"], "A-2", "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_hangs_fails_its_page_and_nothing_else() {
    let home = Home::new("");
    let server = with(&home, scripted("-").to_str().unwrap(), &[("FORMWORK_OCR__PAGE_SECONDS", "1")]);
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
    assert!(text.contains("OCR cannot be used as it is set"), "{text}");
    let program = program.to_str().unwrap();
    let text = started(&[("FORMWORK_OCR__PROGRAM", program), ("FORMWORK_OCR__LANGUAGES", "xyz")]);
    assert!(text.contains("no data for the language 'xyz'; it has deu, eng"), "{text}");
}
