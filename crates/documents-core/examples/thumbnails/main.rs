//! Measures thumbnails of first pages beside poppler's `pdftoppm` on a folder of PDFs, or saves them.
//!
//! `cargo run --release -p documents-core --example thumbnails -- FOLDER [--width PIXELS] [--verbose]`
//! `cargo run --release -p documents-core --example thumbnails -- FOLDER --save FOLDER [--width PIXELS]`
//!
//! Both draw the first page as wide and write it as PNG. CPU time is user and system time: our own from this
//! process, as a worker that is warm takes it, the peer's from its processes, start included. `--save` takes
//! files of every kind, also those of inner folders.
#![allow(clippy::print_stdout, clippy::expect_used, reason = "a measuring program")]

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use document::{ImageFormat, RenderSize, ThumbnailOptions};
use documents_core::{Limits, render, thumbnail};

struct Row {
    name: String,
    /// CPU seconds.
    ours: f64,
    theirs: f64,
    /// Why the page was not rendered.
    failure: Option<String>,
    /// Whether the peer produced an image.
    drawn: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let after = |flag: &str| arguments.iter().skip_while(|argument| *argument != flag).nth(1);
    let folder = PathBuf::from(arguments.get(1).expect("a folder"));
    let width = after("--width").map_or(320, |width| width.parse().expect("pixels"));
    let options = ThumbnailOptions { width, page: 1, format: ImageFormat::Png };
    match after("--save") {
        Some(target) => save(&folder, Path::new(target), &options),
        None => measure(&folder, &options, arguments.iter().any(|argument| argument == "--verbose")),
    }
}

fn save(folder: &Path, target: &Path, options: &ThumbnailOptions) {
    std::fs::create_dir_all(target).expect("writable");
    for path in files(folder) {
        let bytes = std::fs::read(&path).expect("readable");
        let name = name_of(&path);
        let (picture, seconds) = timed(|| thumbnail(&bytes, &name, options, &Limits::default()));
        std::fs::write(target.join(format!("{name}.png")), &picture.bytes).expect("writable");
        println!("{:8.1} ms  {} x {}  {name}", seconds * 1e3, picture.width, picture.height);
    }
}

fn measure(folder: &Path, options: &ThumbnailOptions, verbose: bool) {
    let is_pdf = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pdf"));
    let rows: Vec<Row> = files(folder).into_iter().filter(is_pdf).map(|path| row(&path, options)).collect();
    if verbose {
        for row in &rows {
            println!("{:8.1} {:8.1}  {}", row.ours * 1e3, row.theirs * 1e3, row.name);
        }
    }
    for row in rows.iter().filter(|row| row.failure.is_some() || !row.drawn) {
        let ours = row.failure.as_deref().unwrap_or("drawn");
        println!("{}: ours {ours}, pdftoppm {}", row.name, if row.drawn { "drawn" } else { "failed" });
    }
    let both: Vec<&Row> = rows.iter().filter(|row| row.failure.is_none() && row.drawn).collect();
    let ours = both.iter().map(|row| row.ours * 1e3).collect();
    let theirs = both.iter().map(|row| row.theirs * 1e3).collect();
    let ratios = both.iter().map(|row| row.theirs / row.ours).collect();
    let (ours, theirs, ratios) = (Spread::of(ours), Spread::of(theirs), Spread::of(ratios));
    println!("| CPU ms a first page, {} pixels wide | median | mean | p90 | most |", options.width);
    println!("|---|---|---|---|---|");
    println!("| Formwork | {} |", ours.cells());
    println!("| pdftoppm | {} |", theirs.cells());
    println!();
    println!(
        "{} PDFs, {} drawn by both; pdftoppm takes {:.1} times the processor time in all, {:.1} times in the median.",
        rows.len(),
        both.len(),
        theirs.mean / ours.mean,
        ratios.median
    );
}

fn row(path: &Path, options: &ThumbnailOptions) -> Row {
    let bytes = std::fs::read(path).expect("readable");
    let name = name_of(path);
    let limits = Limits::default();
    let (_, ours) = timed(|| thumbnail(&bytes, &name, options, &limits));
    // A thumbnail is always produced; this checks whether it shows the page.
    let failure = render::page(&bytes, &name, 1, RenderSize::Width(16), &limits).err();
    let (drawn, theirs) = pdftoppm(path, options.width);
    Row { name, ours, theirs, failure: failure.map(|error| error.to_string()), drawn }
}

/// Whether it produced an image, and its CPU seconds.
fn pdftoppm(path: &Path, width: u32) -> (bool, f64) {
    let mut child = Command::new("pdftoppm")
        .args(["-png", "-f", "1", "-l", "1", "-singlefile", "-scale-to-y", "-1", "-scale-to-x"])
        .arg(width.to_string())
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("pdftoppm is installed");
    let mut picture = Vec::new();
    child.stdout.take().expect("a pipe").read_to_end(&mut picture).expect("readable");
    // An exited process keeps its statistics until it is waited for.
    let process = format!("/proc/{}", child.id());
    while std::fs::read_to_string(format!("{process}/stat")).is_ok_and(|stat| !stat.contains(") Z ")) {
        std::thread::yield_now();
    }
    let seconds = scheduled(&format!("{process}/schedstat"));
    let status = child.wait().expect("a child");
    (status.success() && picture.starts_with(b"\x89PNG"), seconds)
}

struct Spread {
    median: f64,
    mean: f64,
    p90: f64,
    most: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let at = |part: f64| {
            values.get(((values.len() as f64 - 1.0) * part).round() as usize).copied().unwrap_or(f64::NAN)
        };
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Self { median: at(0.5), mean, p90: at(0.9), most: at(1.0) }
    }

    fn cells(&self) -> String {
        format!("{:.1} | {:.1} | {:.1} | {:.0}", self.median, self.mean, self.p90, self.most)
    }
}

/// The files of a folder and its subfolders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = scheduled("/proc/thread-self/schedstat");
    let result = work();
    (result, scheduled("/proc/thread-self/schedstat") - before)
}

/// CPU seconds from the scheduler's statistics, which are in nanoseconds.
fn scheduled(path: &str) -> f64 {
    let text = std::fs::read_to_string(path).expect("Linux");
    let nanoseconds: f64 =
        text.split_whitespace().next().and_then(|first| first.parse().ok()).expect("a count");
    nanoseconds / 1e9
}
