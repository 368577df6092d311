//! What happens around the reading: pipes, signals, bad files among good ones, and what is left behind.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Desk, lines, told};

#[test]
fn standard_input_is_read_under_the_name_that_is_given() {
    let desk = Desk::new(&[]);
    assert_eq!(told(&desk.fed(&["-"], b"a,b\n1,2\n")).0, "a,b\n1,2\n");
    let table = desk.fed(&["--name", "x.csv", "-"], b"a,b\n1,2\n");
    assert_eq!(told(&table).0, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    let empty = desk.fed(&["-"], b"");
    assert_eq!(empty.status.code(), Some(1));
    assert_eq!(told(&empty).1, "formwork: -: the file is empty\n");
}

#[test]
fn a_pipe_that_is_named_like_a_file_is_read() {
    let desk = Desk::new(&[]);
    let made = std::process::Command::new("mkfifo").arg(desk.path("pipe.txt")).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let path = desk.path("pipe.txt");
    let writer = std::thread::spawn(move || std::fs::write(path, "through a pipe"));
    assert_eq!(desk.printed(&["pipe.txt"]), "through a pipe\n");
    writer.join().unwrap().unwrap();
}

#[test]
fn a_thousand_files_come_in_their_order_and_a_bad_one_takes_no_other_with_it() {
    let desk = Desk::new(&[]);
    for number in 0..1_000 {
        desk.put(
            &format!("in/{number:04}.txt"),
            format!("text {number}\n").repeat(1 + number % 50).as_bytes(),
        );
    }
    // Deeply nested, without any text.
    desk.put("in/0500.html", b"<div>".repeat(500_000).as_slice());
    desk.put("in/0700.pdf", b"%PDF-1.4 rubbish");
    let output = desk.run(&["--json", "in"]);
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&told(&output).0);
    assert_eq!(lines.len(), 1_002);
    let names: Vec<_> = lines.iter().map(|line| line["file"].as_str().unwrap().to_owned()).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert!(
        lines
            .iter()
            .filter(|line| line["text"].as_str().is_some_and(|text| text.starts_with("text ")))
            .count()
            == 1_000
    );
    assert_eq!(
        desk.files("").iter().filter(|name| !name.starts_with("in/")).count(),
        0,
        "no data was stored"
    );
}

#[test]
fn a_reader_who_goes_away_ends_it_quietly() {
    let desk = Desk::new(&[]);
    for number in 0..60 {
        desk.put(&format!("in/{number}.txt"), "words and words\n".repeat(20_000).as_bytes());
    }
    let mut process = desk.piped(&["in"]);
    drop(process.stdin.take());
    let mut first = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("==> in/"), "{first}");
    let mut complaints = String::new();
    process.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
    assert!(process.wait().unwrap().success());
    assert_eq!(complaints, "");
}

#[test]
fn an_interrupt_ends_it_and_its_parser_processes() {
    let desk = Desk::new(&[("a.txt", "done first")]);
    let mut process = desk.piped(&["a.txt", "-"]);
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "==> a.txt <==");
    let parsers = children(process.id());
    assert!(!parsers.is_empty(), "a parser process is warm");
    let pid = Pid::from_raw(i32::try_from(process.id()).unwrap()).unwrap();
    // Standard input stays open: only the signal can end it.
    let mut input = process.stdin.take().unwrap();
    input.write_all(b"the beginning of a document").unwrap();
    kill_process(pid, Signal::INT).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(130));
    for parser in parsers {
        // A parser whose parent is gone reads the end of its input; until it has, it may be seen.
        while Path::new(&format!("/proc/{parser}/exe")).exists() {
            std::thread::yield_now();
        }
    }
    drop(input);
}

pub(crate) fn children(process: u32) -> Vec<String> {
    let mut found = Vec::new();
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).unwrap() {
        let children = std::fs::read_to_string(thread.unwrap().path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().map(str::to_owned));
    }
    found
}

/// What a terminal shows of reading a folder; `None` where the system has no program that makes one.
fn on_a_terminal(desk: &Desk, folder: &str) -> Option<String> {
    let command = format!("'{}' parse {folder} > /dev/null", env!("CARGO_BIN_EXE_formwork"));
    let mut script = Command::new("/usr/bin/script");
    script.current_dir(desk.path("")).env_clear().env("TERM", "xterm").args(["-qec", &command, "/dev/null"]);
    let output = script.stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_terminal_shows_a_bar_for_many_files_and_none_for_few() {
    let desk = Desk::new(&[("few/a.txt", "words")]);
    for number in 0..30 {
        desk.put(&format!("many/{number}.txt"), b"words");
    }
    desk.put("many/bad.pdf", b"%PDF-1.4");
    let (Some(many), Some(few)) = (on_a_terminal(&desk, "many"), on_a_terminal(&desk, "few")) else {
        eprintln!("skipped: there is no program 'script'");
        return;
    };
    assert!(many.contains(" of 31 files"), "{many:?}");
    assert!(many.contains("formwork: many/bad.pdf: "), "{many:?}");
    assert_eq!(few, "");
}
