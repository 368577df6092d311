//! Compares the extracted main content of a corpus's pages with human annotations: `web_corpus CORPUS [PEERS]
//! [--worst COUNT] [--texts FOLDER] [--scores FILE]`.
//!
//! The corpus is a folder with `truth.jsonl` (file, url, type, title, main_content, with, without) and
//! `pages` (gzipped HTML), as in WCXB. PEERS is a folder with JSON lines (file, text, title, seconds). The
//! texts of the half that the rules are tuned on are written to the FOLDER, and the figures of each page to
//! the FILE, so that two runs can be compared.
//!
//! Word F1 counts the words of both texts as multisets, in lower case, without the URLs of links. `with` are
//! snippets that must be in the text, `without` those that must not; white space and case do not count. A
//! title is correct when it has the words of the true one, contains it, is contained in it, or has a word F1
//! of .8 with it.
#![allow(clippy::print_stdout, reason = "an example")]

use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;
use std::path::Path;

use anyhow::Context as _;
use rustix::time::{ClockId, clock_gettime};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use webpage_core::{PageLimits, parse_page};

#[derive(Deserialize)]
struct Truth {
    file: String,
    url: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    main_content: String,
    #[serde(default)]
    with: Value,
    #[serde(default)]
    without: Value,
}

#[derive(Deserialize)]
struct Extracted {
    file: String,
    text: String,
    title: String,
    seconds: f64,
}

/// Sums over pages.
#[derive(Clone, Default)]
struct Sums {
    pages: usize,
    f1: f64,
    with: f64,
    without: f64,
    exact: f64,
    right: f64,
    seconds: f64,
}

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let corpus = arguments.next().context("the folder of the corpus")?;
    let rest: Vec<String> = arguments.collect();
    let worst = rest.iter().position(|word| word == "--worst").and_then(|at| rest.get(at + 1)?.parse().ok());
    let truth = std::fs::read_to_string(format!("{corpus}/truth.jsonl"))?;
    let truth: Vec<Truth> = truth.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let truth: Vec<Truth> = truth.into_iter().filter(|page| !page.main_content.is_empty()).collect();
    let found = own(Path::new(&corpus), &truth)?;
    report("formwork", &truth, &found, worst.unwrap_or(0));
    if let Some(folder) = rest.iter().position(|word| word == "--texts").and_then(|at| rest.get(at + 1)) {
        for page in found.iter().filter(|page| is_tuned_on(&page.file)) {
            std::fs::write(Path::new(folder).join(format!("{}.md", page.file)), &page.text)?;
        }
    }
    if let Some(file) = rest.iter().position(|word| word == "--scores").and_then(|at| rest.get(at + 1)) {
        std::fs::write(file, scores(&truth, &found))?;
    }
    if let Some(peers) = rest.first().filter(|word| !word.starts_with("--")) {
        for name in ["trafilatura", "readability-lxml"] {
            let lines = std::fs::read_to_string(format!("{peers}/{name}.jsonl"))?;
            let pages =
                lines.lines().map(serde_json::from_str::<Extracted>).collect::<Result<Vec<_>, _>>()?;
            report(name, &truth, &pages, 0);
        }
    }
    Ok(())
}

fn own(corpus: &Path, truth: &[Truth]) -> anyhow::Result<Vec<Extracted>> {
    let mut pages = Vec::new();
    for page in truth {
        let mut html = Vec::new();
        let file = std::fs::File::open(corpus.join("pages").join(&page.file))?;
        flate2::read::GzDecoder::new(file).read_to_end(&mut html)?;
        let before = cpu_seconds();
        let found = parse_page(&html, &page.url, None, &PageLimits::default());
        let seconds = cpu_seconds() - before;
        pages.push(Extracted {
            file: page.file.clone(),
            text: plain(&found.body),
            title: found.title,
            seconds,
        });
    }
    Ok(pages)
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn report(name: &str, truth: &[Truth], pages: &[Extracted], worst: usize) {
    let found: HashMap<&str, &Extracted> = pages.iter().map(|page| (page.file.as_str(), page)).collect();
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let mut scored: Vec<(f64, &Truth)> = Vec::new();
    for page in truth {
        let nothing =
            Extracted { file: String::new(), text: String::new(), title: String::new(), seconds: 0.0 };
        let one = score(page, found.get(page.file.as_str()).copied().unwrap_or(&nothing));
        scored.push((one.f1, page));
        let half = if is_tuned_on(&page.file) { "half tuned on" } else { "other half" };
        for key in ["all", half, page.kind.as_str()] {
            sums.entry(key.to_owned()).or_default().add(&one);
        }
    }
    println!("\n{name}\n");
    println!(
        "| pages | count | word F1 | must appear | must not | title right | words alike | pages a CPU-second |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (key, sum) in &sums {
        let mean = |value: f64| value / sum.pages as f64;
        println!(
            "| {key} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.0} |",
            sum.pages,
            mean(sum.f1),
            mean(sum.with),
            mean(sum.without),
            mean(sum.right),
            mean(sum.exact),
            sum.pages as f64 / sum.seconds.max(1e-9)
        );
    }
    scored.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (f1, page) in scored.into_iter().take(worst) {
        println!("{f1:.3} {} {} {}", page.kind, page.file, page.url);
    }
}

/// A line of figures for each page: half, type, file, word F1, must appear, must not, title right.
fn scores(truth: &[Truth], pages: &[Extracted]) -> String {
    let lines = truth.iter().zip(pages).map(|(page, found)| {
        let (one, half) = (score(page, found), if is_tuned_on(&page.file) { "tuned" } else { "other" });
        let (kind, file) = (&page.kind, &page.file);
        format!("{half} {kind} {file} {:.4} {:.4} {:.4} {}\n", one.f1, one.with, one.without, one.right)
    });
    lines.collect()
}

fn is_tuned_on(file: &str) -> bool {
    Sha256::digest(file)[31] % 2 == 0
}

impl Sums {
    fn add(&mut self, one: &Self) {
        self.pages += one.pages;
        self.f1 += one.f1;
        self.with += one.with;
        self.without += one.without;
        self.exact += one.exact;
        self.right += one.right;
        self.seconds += one.seconds;
    }
}

fn score(page: &Truth, found: &Extracted) -> Sums {
    let text = collapsed(&found.text);
    let share = |snippets: &Value, none: f64| {
        let snippets: Vec<String> =
            snippets.as_array().into_iter().flatten().filter_map(Value::as_str).map(collapsed).collect();
        if snippets.is_empty() {
            return none;
        }
        snippets.iter().filter(|snippet| text.contains(snippet.as_str())).count() as f64
            / snippets.len() as f64
    };
    let title = page.title.clone().unwrap_or_default();
    let (own, true_one) = (words(&found.title).join(" "), words(&title).join(" "));
    let exact = own == true_one;
    let contained =
        !own.is_empty() && !true_one.is_empty() && (own.contains(&true_one) || true_one.contains(&own));
    let right = exact || contained || f1(&found.title, &title) >= 0.8;
    Sums {
        pages: 1,
        f1: f1(&found.text, &page.main_content),
        with: share(&page.with, 1.0),
        without: share(&page.without, 0.0),
        exact: f64::from(u8::from(exact)),
        right: f64::from(u8::from(right)),
        seconds: found.seconds,
    }
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn f1(found: &str, truth: &str) -> f64 {
    let (found, truth) = (words(found), words(truth));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for word in &truth {
        *left.entry(word).or_default() += 1;
    }
    let mut both = 0_usize;
    for word in &found {
        if let Some(count) = left.get_mut(word.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            both += 1;
        }
    }
    if both == 0 {
        return 0.0;
    }
    2.0 * both as f64 / (found.len() + truth.len()) as f64
}

/// Lower case, collapsed white space, and without Markdown syntax.
fn collapsed(text: &str) -> String {
    let text: String = text.chars().filter(|c| !matches!(c, '[' | ']' | '*' | '`' | '\\')).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Markdown without images and without the URLs of links.
fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find("](http") {
        let (before, after) = rest.split_at(at);
        let picture = before.rfind("![").filter(|begin| !before[*begin + 2..].contains(['[', ']']));
        out.push_str(picture.map_or(before, |begin| &before[..begin]));
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    out + rest
}
