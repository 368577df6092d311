//! What the processes that read documents can still do, on the real binary.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;

use documents_core::render::Raster;
use testkit::tesseract::{ScriptedTesseract, TSV_HEAD};

use crate::confined::children;
use crate::{Desk, told};

/// A desk with a picture and a file that stands in for the database.
fn desk() -> Desk {
    let desk = Desk::new(&[("database", "rows")]);
    let picture = Raster { width: 300, height: 300, rgba: vec![255; 300 * 300 * 4] };
    desk.put("scan.png", &picture.to_png(false).unwrap());
    desk
}

/// A program in place of OCR that tries to leave its sandbox. It recognises what it could do.
fn intruder(desk: &Desk, port: u16) -> ScriptedTesseract {
    let folder = desk.path("");
    let attempts = [
        ("read", format!("cat {}/database", folder.display())),
        ("list", format!("ls {}", folder.display())),
        ("environment", "cat /proc/$PPID/environ".to_owned()),
        ("signal", "kill -0 $PPID".to_owned()),
        ("create", format!(": > {}/new", folder.display())),
        ("remove", format!("rm {}/old", folder.display())),
        ("connect", format!("/bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'")),
        ("leave", "setsid true".to_owned()),
    ];
    let head = TSV_HEAD.escape_default();
    let mut script = format!("cat > /dev/null\nprintf \"{head}\"\n");
    for (row, (name, attempt)) in attempts.iter().enumerate() {
        let (row, top) = (row + 1, 20 * (row + 1));
        script += &format!(
            "if ({attempt}) > /dev/null 2>&1; then w=done; else w=refused; fi\n\
             printf \"5\\t1\\t{row}\\t1\\t{row}\\t1\\t10\\t{top}\\t120\\t12\\t95\\t{name}:$w\\n\"\n"
        );
    }
    ScriptedTesseract::new(&script).unwrap()
}

fn recognised(desk: &Desk, program: &Path, mode: &str) -> String {
    desk.put("old", b"rows");
    let mut command = desk.command(&["scan.png"]);
    command.env("FORMWORK_OCR__PROGRAM", program).env("FORMWORK_WORKERS__SANDBOX", mode);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    told(&output).0
}

#[test]
fn the_program_for_ocr_reaches_nothing_but_its_picture() {
    let desk = desk();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let program = intruder(&desk, listener.local_addr().unwrap().port());
    let free = recognised(&desk, &program.path(), "off");
    assert_eq!((free.matches(":done").count(), free.matches(":refused").count()), (8, 0), "{free}");
    let confined = recognised(&desk, &program.path(), "on");
    assert_eq!(
        (confined.matches(":done").count(), confined.matches(":refused").count()),
        (0, 8),
        "{confined}"
    );
}

#[test]
#[allow(clippy::disallowed_methods, reason = "where programs are depends on the machine")]
fn the_installed_program_reads_in_its_sandbox() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    if ocr_tesseract::Tesseract::search(&path).is_none() {
        eprintln!("skipped: tesseract is not installed");
        return;
    }
    let desk = Desk::new(&[]);
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='100'>\
                   <text x='20' y='60' font-size='28'>Harbour dues paid</text></svg>";
    let size = document::RenderSize::Dpi(144);
    let limits = documents_core::Limits::default();
    let page = documents_core::render::page(drawing.as_bytes(), "x.svg", 1, size, &limits).unwrap();
    desk.put("scan.png", &page.to_png(true).unwrap());
    let output = desk.command(&["scan.png"]).env("PATH", path).output().unwrap();
    assert_eq!(told(&output).0, "Harbour dues paid\n", "{output:?}");
}

#[test]
fn a_program_that_cannot_be_launched_is_named_with_the_reason() {
    let desk = desk();
    let mut command = desk.command(&["scan.png"]);
    command.env("FORMWORK_OCR__PROGRAM", desk.path("nothing"));
    let output = command.output().unwrap();
    let complaint = told(&output).1;
    assert!(!output.status.success() && complaint.contains("it did not start"), "{complaint}");
}

#[test]
fn a_parser_process_has_no_privileges_and_the_filter() {
    let desk = Desk::new(&[("a.txt", "done first")]);
    let mut process = desk.piped(&["a.txt", "-"]);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "==> a.txt <==");
    let parsers = children(process.id());
    let is_root = rustix::process::geteuid().is_root();
    for parser in &parsers {
        let status = std::fs::read_to_string(format!("/proc/{parser}/status")).unwrap();
        let value = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim_start_matches(':').split_whitespace().next().unwrap_or_default().to_owned()
        };
        assert_eq!((value("NoNewPrivs"), value("Seccomp")), ("1".to_owned(), "2".to_owned()), "{status}");
        assert_eq!((value("CapEff"), value("CapPrm")), ("0".repeat(16), "0".repeat(16)), "{status}");
        assert!(!is_root || value("Uid") == "65534", "{status}");
    }
    assert!(!parsers.is_empty(), "a parser process is warm");
    drop(process.stdin.take());
    process.wait().unwrap();
}
