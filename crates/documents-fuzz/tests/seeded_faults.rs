//! Faults that are put into the parser are found; without one nothing is.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

use documents_fuzz::{Bounds, FuzzSettings, SeededFault, Summary, Target};

fn hunt(target: &str, cases: u64, fault: Option<(SeededFault, &str)>) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let hunt = FuzzSettings {
        program: env!("CARGO_BIN_EXE_documents-fuzz").into(),
        seed: 1,
        bounds: Bounds::Cases(cases),
        folder: folder.path().to_path_buf(),
        corpus: Vec::new(),
        slow: 1_000,
        until: fault.map(|(_, rule)| rule.to_owned()),
        seeded_fault: fault.map(|(fault, _)| fault),
    };
    hunt.run(Target::named(target).unwrap()).unwrap()
}

/// Hunts until the rule is seen to be broken, or all cases were tried.
fn finds(target: &str, fault: SeededFault, rule: &str) {
    let summary = hunt(target, 5_000, Some((fault, rule)));
    let rules: Vec<_> = summary.findings.iter().map(|finding| finding.rule.as_str()).collect();
    assert!(rules.iter().any(|found| found.contains(rule)), "{target}: {rules:?}");
}

#[test]
fn a_panic_behind_a_number_is_found() {
    finds("rtf", SeededFault::Panic, "panic at crates/documents-fuzz/src/seeded_faults.rs");
}

#[test]
fn a_loop_without_end_is_found() {
    finds("html", SeededFault::Hang, "no end in sight");
}

#[test]
fn memory_without_end_is_found() {
    finds("md", SeededFault::Memory, "out of memory or stack");
}

#[test]
fn an_offset_behind_the_text_is_found() {
    finds("rtf", SeededFault::Offset, "blocks hold text");
    // In a part of a package, too.
    finds("docx", SeededFault::Offset, "blocks hold text");
}

#[test]
fn a_reading_that_differs_is_found() {
    finds("txt", SeededFault::Difference, "alike twice");
}

#[test]
fn the_same_seed_makes_the_same_cases() {
    let (one, two) = (hunt("html", 150, None), hunt("html", 150, None));
    assert_eq!((one.cases, one.shapes), (two.cases, two.shapes));
    assert!(one.shapes > 20, "{one:?}");
}
