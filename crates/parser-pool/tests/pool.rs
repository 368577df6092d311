//! The pool with real worker processes: this program is its own worker.
//!
//! The bombs are made here. With `FORMWORK_CORPUS` set, every hostile PDF of the corpus is read too.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::panic, reason = "a test program")]

#[cfg(target_os = "linux")]
#[path = "pool/sandbox.rs"]
mod sandboxed;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use document::{
    Document, DocumentParser as _, Format, ImageFormat, PageColours, PageRenderer as _, ParseError,
    RenderSize, Source, ThumbnailOptions,
};
use futures_util::StreamExt as _;
use parser_pool::{CallObserver, CallReport, ParserPool, PoolFigures, PoolSettings, worker};
use sandbox::SandboxMode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("parse-worker") => return worker::run(worker::WorkerLimits::from_arguments(arguments).unwrap()),
        #[cfg(target_os = "linux")]
        Some("takeover") => return sandboxed::take_over(arguments),
        #[cfg(target_os = "linux")]
        Some("old-kernel") => return sandboxed::run_without_layers(arguments),
        _ => {}
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    type Test = fn(&tokio::runtime::Runtime);
    let tests: &[(&str, Test)] = &[
        ("a_text_is_read_and_the_worker_kept_warm", |rt| rt.block_on(reads_and_stays_warm())),
        ("what_cannot_be_read_is_that_documents_error", |rt| rt.block_on(names_what_cannot_be_read())),
        ("bombs_end_as_their_own_errors_and_the_pool_goes_on", |rt| rt.block_on(survives_bombs())),
        ("an_observer_is_told_of_each_call", |rt| rt.block_on(reports_calls())),
        ("pages_and_thumbnails_are_drawn_by_the_same_workers", |rt| rt.block_on(draws())),
        ("a_file_that_takes_its_worker_down_has_a_card_of_its_kind", |rt| rt.block_on(draws_bombs())),
        ("a_document_nobody_waits_for_frees_its_place", |rt| rt.block_on(frees_its_place())),
        ("a_program_that_is_not_there_makes_the_parser_unavailable", |rt| rt.block_on(is_unavailable())),
        #[cfg(target_os = "linux")]
        ("a_worker_that_was_taken_over_reaches_nothing_and_parses", |_| sandboxed::reaches_nothing()),
        #[cfg(target_os = "linux")]
        ("a_sandbox_that_is_required_must_be_complete", |rt| rt.block_on(sandboxed::is_required())),
        ("every_hostile_pdf_of_the_corpus_ends", |rt| rt.block_on(ends_the_corpus())),
    ];
    println!("running {} tests", tests.len());
    for (name, test) in tests {
        test(&runtime);
        println!("test {name} ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out", tests.len());
    ExitCode::SUCCESS
}

fn settings() -> PoolSettings {
    PoolSettings {
        program: std::env::current_exe().unwrap(),
        args: vec!["parse-worker".into()],
        environment: Vec::new(),
        sandbox: SandboxMode::On,
        workers: 2,
        recycle_after: 200,
        memory_bytes: 1 << 30,
        cpu_seconds: 3,
        wall: Duration::from_secs(20),
        idle: Duration::from_secs(60),
        max_input: 100 << 20,
        max_output: 64 << 20,
    }
}

fn source(name: &str, bytes: Vec<u8>) -> Source {
    Source {
        name: name.to_owned(),
        bytes: bytes.len() as u64,
        content: futures_util::stream::iter([Ok(bytes.into())]).boxed(),
    }
}

async fn read(pool: &ParserPool, name: &str, bytes: Vec<u8>) -> Result<Document, ParseError> {
    pool.parse(source(name, bytes)).await
}

/// Width and height in the head of a PNG, and whether it is in shades of gray.
fn head_of(png: &[u8]) -> (u32, u32, bool) {
    assert!(png.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20), png[25] == 0)
}

async fn draws() {
    let pool = ParserPool::new(PoolSettings { workers: 1, ..settings() });
    let page = pdf(b"0 g 0 0 100 100 re f", "", "", &[]);
    let drawn =
        pool.page(source("a.pdf", page.clone()), 1, RenderSize::Width(50), PageColours::Gray).await.unwrap();
    assert_eq!(head_of(&drawn), (50, 50, true));
    let past = pool.page(source("a.pdf", page.clone()), 2, RenderSize::Dpi(72), PageColours::Gray).await;
    assert!(matches!(past, Err(ParseError::NoPage { pages: 1 })), "{past:?}");
    let options = ThumbnailOptions { width: 40, page: 9, format: ImageFormat::Png };
    let made = pool.thumbnail(source("a.pdf", page), options).await.unwrap();
    assert_eq!((made.width, made.page, head_of(&made.bytes)), (40, 1, (40, 40, false)));
    let webp = ThumbnailOptions { format: ImageFormat::WebP, ..options };
    let made = pool.thumbnail(source("a.txt", b"words".to_vec()), webp).await.unwrap();
    assert!(made.format == ImageFormat::WebP && made.bytes.starts_with(b"RIFF"));
    assert_eq!(pool.raw_text(source("a.txt", b"words".to_vec())).await.unwrap().trim(), "words");
    assert_eq!(read(&pool, "a.txt", b"on".to_vec()).await.unwrap().text, "on");
}

/// Keeps what it is told.
#[derive(Debug, Default)]
struct RecordingObserver(parking_lot::Mutex<Vec<CallReport>>);

impl CallObserver for RecordingObserver {
    fn note(&self, report: &CallReport) {
        self.0.lock().push(*report);
    }
}

async fn reports_calls() {
    let observer = Arc::new(RecordingObserver::default());
    let pool = ParserPool::with_observer(settings(), observer.clone());
    read(&pool, "a.txt", b"words".to_vec()).await.unwrap();
    read(&pool, "a.pdf", b"%PDF-1.4 broken".to_vec()).await.unwrap_err();
    pool.raw_text(source("a.txt", b"words".to_vec())).await.unwrap();
    let reports = observer.0.lock().clone();
    let told: Vec<_> = reports.iter().map(|call| (call.task, call.format, call.failure)).collect();
    assert_eq!(
        told,
        [
            ("parse", Some(Format::Text), None),
            ("parse", None, Some("document_damaged")),
            ("raw_text", None, None)
        ]
    );
}

async fn draws_bombs() {
    let pool = ParserPool::new(PoolSettings { workers: 1, ..settings() });
    let options = ThumbnailOptions { width: 100, ..ThumbnailOptions::default() };
    let card = documents_core::card("application/pdf", "bomb.pdf", &options);
    for (name, bomb) in [("flate", flate_bomb()), ("forms", nested_forms())] {
        let page =
            pool.page(source("bomb.pdf", bomb.clone()), 1, RenderSize::Width(100), PageColours::Gray).await;
        assert!(page.is_err(), "{name}");
        let made = pool.thumbnail(source("bomb.pdf", bomb), options).await.unwrap();
        assert_eq!(made, card, "{name}");
        assert_eq!(read(&pool, "a.txt", b"on".to_vec()).await.unwrap().text, "on", "after {name}");
    }
    let empty = pool.thumbnail(source("a.pdf", Vec::new()), options).await.unwrap();
    assert_eq!(head_of(&empty.bytes).0, 100);
    let broken = futures_util::stream::iter([Err("the disk is gone".into())]).boxed();
    let broken = Source { name: "a".into(), bytes: 10, content: broken };
    assert!(matches!(pool.thumbnail(broken, options).await, Err(ParseError::Source(_))));
}

async fn reads_and_stays_warm() {
    let pool = ParserPool::new(PoolSettings { workers: 1, ..settings() });
    assert_eq!(pool.figures(), PoolFigures::default());
    for _ in 0..3 {
        assert_eq!(read(&pool, "a.txt", b"Hello".to_vec()).await.unwrap().text, "Hello");
    }
    assert_eq!(pool.figures(), PoolFigures { idle: 1, started: 1, ..PoolFigures::default() });
    pool.end_idle().await;
    let large = "words and words\n".repeat(200_000);
    assert_eq!(read(&pool, "a.txt", large.clone().into_bytes()).await.unwrap().text, large.trim_end());
}

async fn names_what_cannot_be_read() {
    let pool = ParserPool::new(settings());
    assert!(matches!(read(&pool, "a", Vec::new()).await, Err(ParseError::Empty)));
    assert!(matches!(read(&pool, "a", b"\x7fELF\0\0".to_vec()).await, Err(ParseError::Unsupported(_))));
    let broken = futures_util::stream::iter([Ok("begin".into()), Err("the disk is gone".into())]).boxed();
    let source = Source { name: "a".into(), bytes: 10, content: broken };
    assert!(matches!(pool.parse(source).await, Err(ParseError::Source(_))));
    assert!(read(&pool, "a.txt", b"on".to_vec()).await.is_ok());
}

async fn survives_bombs() {
    let pool = ParserPool::new(PoolSettings { workers: 1, ..settings() });
    for (name, bomb) in [("flate", flate_bomb()), ("forms", nested_forms()), ("nesting", deep_nesting())] {
        let result = read(&pool, "bomb.pdf", bomb).await;
        assert!(result.is_err(), "{name}: {:?}", result.map(|document| document.text.len()));
        assert_eq!(read(&pool, "a.txt", b"on".to_vec()).await.unwrap().text, "on", "after {name}");
    }
}

async fn frees_its_place() {
    let pool = ParserPool::new(PoolSettings { workers: 1, ..settings() });
    let stuck = Source { name: "a".into(), bytes: 5, content: futures_util::stream::pending().boxed() };
    let mut abandoned = Box::pin(pool.parse(stuck));
    assert!(futures_util::poll!(&mut abandoned).is_pending());
    let mut second = Box::pin(read(&pool, "a.txt", b"on".to_vec()));
    assert!(futures_util::poll!(&mut second).is_pending());
    assert_eq!(pool.figures(), PoolFigures { busy: 1, waiting: 1, started: 1, idle: 0 });
    drop(second);
    assert_eq!(pool.figures().waiting, 0);
    drop(abandoned);
    assert_eq!(pool.figures(), PoolFigures { started: 1, ..PoolFigures::default() });
    assert!(read(&pool, "a.txt", b"on".to_vec()).await.is_ok());
}

async fn is_unavailable() {
    let pool = ParserPool::new(PoolSettings { program: "/nonexistent/formwork".into(), ..settings() });
    assert!(matches!(read(&pool, "a.txt", b"on".to_vec()).await, Err(ParseError::Unavailable(_))));
}

#[allow(clippy::disallowed_methods, reason = "the corpus is named by the environment")]
async fn ends_the_corpus() {
    let Ok(corpus) = std::env::var("FORMWORK_CORPUS") else {
        println!("skipped: FORMWORK_CORPUS is not set");
        return;
    };
    let pool = ParserPool::new(settings());
    let mut counts = (0, 0);
    for entry in std::fs::read_dir(format!("{corpus}/hostile/pdf")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        match read(&pool, "x.pdf", bytes).await {
            Ok(_) => counts.0 += 1,
            Err(ParseError::Unavailable(error)) => panic!("the pool gave out: {error}"),
            Err(_) => counts.1 += 1,
        }
    }
    println!("hostile PDFs: {} read, {} refused", counts.0, counts.1);
}

/// A PDF of one page from objects; object 1 is the catalog, 2 the pages, 3 the page, 4 its content.
fn pdf(content: &[u8], content_entries: &str, resources: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << {resources} >> >>")
            .into_bytes(),
        stream(content, content_entries),
    ];
    objects.extend_from_slice(more);
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        writeln!(out, "{} 0 obj", index + 1).unwrap();
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let table = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).unwrap();
    for offset in &offsets {
        writeln!(out, "{offset:010} 00000 n ").unwrap();
    }
    write!(out, "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF", objects.len() + 1).unwrap();
    out
}

fn stream(content: &[u8], entries: &str) -> Vec<u8> {
    let mut object = format!("<< /Length {} {entries} >>\nstream\n", content.len()).into_bytes();
    object.extend_from_slice(content);
    object.extend_from_slice(b"\nendstream");
    object
}

/// A stream of three gigabytes of spaces.
fn flate_bomb() -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..3_072 {
        encoder.write_all(&spaces).unwrap();
    }
    pdf(&encoder.finish().unwrap(), "/Filter /FlateDecode", "", &[])
}

/// Forms that each draw the next ten times, eleven deep.
fn nested_forms() -> Vec<u8> {
    let forms: Vec<Vec<u8>> = (5..16)
        .map(|number| {
            let (content, resources) = if number == 15 {
                ("BT /F 1 Tf (x) Tj ET".to_owned(), String::new())
            } else {
                ("/N Do ".repeat(10), format!("/XObject << /N {} 0 R >>", number + 1))
            };
            let entries =
                format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << {resources} >>");
            stream(content.as_bytes(), &entries)
        })
        .collect();
    pdf("/N Do ".repeat(10).as_bytes(), "", "/XObject << /N 5 0 R >>", &forms)
}

/// Arrays within arrays, without end.
fn deep_nesting() -> Vec<u8> {
    pdf(&b"[".repeat(5_000_000), "", "", &[])
}
