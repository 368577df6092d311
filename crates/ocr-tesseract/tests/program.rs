//! The adapter against programs that behave and programs that do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests assert, too")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use document::{OcrError, TextRecogniser as _};
use ocr_tesseract::{FindError, Tesseract, TesseractSettings};
use testkit::tesseract::{ScriptedTesseract, TSV_HEAD};

fn scripted(work: &str) -> ScriptedTesseract {
    ScriptedTesseract::new(work).unwrap()
}

fn settings_of(program: &ScriptedTesseract) -> TesseractSettings {
    TesseractSettings {
        program: program.path(),
        launcher: None,
        data: None,
        languages: String::new(),
        page_time: Duration::from_secs(60),
        memory_bytes: 512 << 20,
    }
}

async fn find(program: &ScriptedTesseract) -> Tesseract {
    Tesseract::find(settings_of(program)).await.unwrap()
}

/// The error of one that does `work`.
async fn failure(work: &str) -> OcrError {
    find(&scripted(work)).await.recognise(vec![7; 300_000], 200).await.unwrap_err()
}

/// What prints one word, with the shell's expansions.
fn printing(word: &str) -> String {
    let head = TSV_HEAD.escape_default();
    format!(
        "cat > /dev/null\nprintf \"{head}5\\t1\\t1\\t1\\t1\\t1\\t10\\t20\\t30\\t12\\t96.5\\t%s\\n\" \"{word}\""
    )
}

#[tokio::test]
async fn a_program_is_asked_for_its_version_and_languages_and_reads_a_picture() {
    let program = scripted(&printing("$*"));
    let tesseract = find(&program).await;
    assert_eq!((tesseract.version(), tesseract.languages().join("+").as_str()), ("9.8.7", "eng+deu"));
    assert_eq!(tesseract.identity(), "tesseract 9.8.7 eng+deu osd");
    let words = tesseract.recognise(vec![7; 300_000], 250).await.unwrap();
    assert_eq!(words.len(), 1);
    assert_eq!(words[0].text, "stdin stdout -l eng+deu --psm 3 --dpi 250 -c tessedit_create_tsv=1");
}

/// What prints six words of which it is as sure as the variable `c` says.
const UNSURE: &str =
    "for w in a b c d e f; do printf \"5\\t1\\t1\\t1\\t1\\t1\\t10\\t20\\t30\\t12\\t$c\\t$w$c\\n\"; done";

#[tokio::test]
async fn a_page_that_is_hardly_read_is_read_again_with_its_orientation() {
    let head = TSV_HEAD.escape_default();
    let reads = |turned: &str| {
        let choice = format!("case \"$*\" in *'--psm 1 '*) {turned};; *) c=50;; esac");
        scripted(&format!("cat > /dev/null\n{choice}\nprintf \"{head}\"\n{UNSURE}"))
    };
    let said = async |program: &ScriptedTesseract| {
        let words = find(program).await.recognise(vec![7; 300_000], 200).await.unwrap();
        (words.len(), words[0].text.clone())
    };
    assert_eq!(said(&reads("c=95")).await, (6, "a95".to_owned()));
    assert_eq!(said(&reads("c=40")).await, (6, "a50".to_owned()), "it is no better");
    assert_eq!(said(&reads("exit 1")).await, (6, "a50".to_owned()), "it breaks");
}

#[tokio::test]
async fn its_environment_holds_nothing_of_the_servers() {
    let program = scripted(&printing("$OMP_THREAD_LIMIT-$HOME-$CARGO_MANIFEST_DIR-$TESSDATA_PREFIX"));
    let settings = TesseractSettings { data: Some(PathBuf::from("/data")), ..settings_of(&program) };
    let words = Tesseract::find(settings).await.unwrap().recognise(Vec::new(), 200).await.unwrap();
    assert_eq!(words[0].text, "1---/data");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn its_memory_time_and_files_are_bounded() {
    let program =
        scripted(&format!("cat > /dev/null\n{}", printing("$(ulimit -v) $(ulimit -t) $(ulimit -f)")));
    let words = find(&program).await.recognise(vec![7; 300_000], 200).await.unwrap();
    assert_eq!(words[0].text, format!("{} 61 0", (512 << 20) / 1024));
}

#[tokio::test]
async fn one_that_hangs_is_ended_when_its_time_is_over() {
    let program = scripted("cat > /dev/null\nexec /bin/sleep 600");
    let mut settings = settings_of(&program);
    settings.page_time = Duration::from_secs(1);
    let tesseract = Tesseract::find(settings).await.unwrap();
    let error = tesseract.recognise(Vec::new(), 200).await.unwrap_err();
    assert!(matches!(error, OcrError::Timeout(1)), "{error:?}");
    // One that does not even read its picture.
    let deaf = scripted("exec /bin/sleep 600");
    let settings = TesseractSettings { page_time: Duration::from_secs(1), ..settings_of(&deaf) };
    let tesseract = Tesseract::find(settings).await.unwrap();
    let error = tesseract.recognise(vec![7; 3_000_000], 200).await.unwrap_err();
    assert!(matches!(error, OcrError::Timeout(1)), "{error:?}");
}

/// Whether a process runs whose arguments name `path`.
fn runs(path: &Path) -> bool {
    let path = path.to_string_lossy();
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let arguments = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&arguments).contains(path.as_ref())
    })
}

/// Waits until `test` is true, for at most a minute.
async fn until(test: impl Fn() -> bool) {
    let begun = Instant::now();
    while !test() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never held");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_that_nobody_waits_for_any_more_is_killed() {
    let program = scripted("cat > /dev/null\nwhile :; do :; done");
    let tesseract = find(&program).await;
    let path = program.path();
    tokio::select! {
        answer = tesseract.recognise(Vec::new(), 200) => panic!("{answer:?}"),
        () = until(|| runs(&path)) => {}
    }
    until(|| !runs(&path)).await;
}

#[tokio::test]
async fn garbage_too_much_and_a_sudden_end_are_errors() {
    assert!(matches!(failure("cat > /dev/null\necho nonsense").await, OcrError::Failed(_)));
    assert!(matches!(failure("exit 0").await, OcrError::Failed(_)));
    assert!(matches!(failure("printf '\\377\\376\\000'").await, OcrError::Failed(_)));
    let endless = "while :; do echo 5555555555555555555555555555555555555555555555555555555555555; done";
    assert!(matches!(failure(endless).await, OcrError::Failed(_)));
    let loud = "cat > /dev/null\ni=0\nwhile [ $i -lt 2000 ]; do echo complaint complaint complaint >&2; i=$((i+1)); done\nexit 3";
    let error = failure(loud).await;
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("exit status: 3") && source.contains("complaint"), "{source}");
    assert!(source.len() < 3_000);
    assert!(matches!(failure("kill -9 $$").await, OcrError::Failed(_)));
}

#[tokio::test]
async fn one_that_is_gone_in_the_meantime_is_unavailable() {
    let program = scripted(&printing("x"));
    let tesseract = find(&program).await;
    std::fs::remove_file(program.path()).unwrap();
    let error = tesseract.recognise(Vec::new(), 200).await.unwrap_err();
    assert!(matches!(error, OcrError::Unavailable(_)), "{error:?}");
}

#[tokio::test]
async fn what_is_no_tesseract_is_not_used() {
    let program = scripted("exit 1");
    let missing = TesseractSettings { program: "/nonexistent/tesseract".into(), ..settings_of(&program) };
    assert!(matches!(Tesseract::find(missing).await, Err(FindError::Unusable { .. })));
    let other = TesseractSettings { program: "/bin/echo".into(), ..settings_of(&program) };
    let error = Tesseract::find(other).await.unwrap_err().to_string();
    assert_eq!(error, "/bin/echo cannot be used for OCR: it does not report its version");
    let language = TesseractSettings { languages: "fra".to_owned(), ..settings_of(&program) };
    assert!(matches!(Tesseract::find(language).await, Err(FindError::NoLanguage { .. })));
}

#[test]
fn it_is_looked_for_in_the_folders_of_the_path_and_only_where_it_can_be_run() {
    let program = scripted("");
    let empty = tempfile::tempdir().unwrap();
    std::fs::write(empty.path().join("tesseract"), "no program").unwrap();
    let path = std::env::join_paths([Path::new("relative"), empty.path(), program.path().parent().unwrap()])
        .unwrap();
    assert_eq!(Tesseract::search(&path), Some(program.path()));
    assert_eq!(Tesseract::search(empty.path().as_os_str()), None);
}

/// The real program, where it is installed.
#[tokio::test]
#[allow(clippy::disallowed_methods, reason = "where programs are depends on the machine")]
async fn the_installed_program_reads_a_page_that_was_drawn() {
    let Some(program) = std::env::var_os("PATH").as_deref().and_then(Tesseract::search) else {
        eprintln!("skipped: tesseract is not installed");
        return;
    };
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='100'>\
                   <text x='20' y='60' font-size='28'>Harbour dues paid</text></svg>";
    let raster = documents_core::render::page(
        drawing.as_bytes(),
        "x.svg",
        1,
        document::RenderSize::Dpi(144),
        &documents_core::Limits::default(),
    );
    let png = raster.unwrap().to_png(true).unwrap();
    let settings = TesseractSettings {
        program,
        launcher: None,
        data: None,
        languages: "eng".to_owned(),
        page_time: Duration::from_secs(60),
        memory_bytes: 1 << 30,
    };
    let words = Tesseract::find(settings).await.unwrap().recognise(png, 144).await.unwrap();
    let text: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(text, ["Harbour", "dues", "paid"]);
    assert!(words.iter().all(|word| word.line == words[0].line && word.confidence > 50.0));
}
