//! The fuzz loop of one target: cases are generated, run in a confined process, and added to the corpus when
//! their outcome has a new shape.

use std::collections::{BTreeMap, HashSet};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use crate::examine::CaseReport;
use crate::minimise::minimise;
use crate::mutate::{Dictionary, mutate};
use crate::random::Random;
use crate::worker::{frame, send};
use crate::{Finding, SeededFault, Target, findings};

/// Maximum cases of the corpus, and their maximum bytes.
const KEPT: usize = 3_000;
const KEPT_BYTES: usize = 256 << 20;
/// Wall-clock timeout of a case with all its parses. It is longer than slow cases need on a busy machine.
const WALL: Duration = Duration::from_secs(60);
/// Maximum attempts to minimise a finding.
const SMALLER: usize = 400;
/// The same for a finding that takes long.
const SLOW_SMALLER: usize = 2;

/// When the loop ends.
#[derive(Clone, Copy, Debug)]
pub enum Bounds {
    /// After this number of cases.
    Cases(u64),
    /// After this wall-clock time.
    Time(Duration),
}

/// Settings of the fuzz loop.
#[derive(Clone, Debug)]
pub struct FuzzSettings {
    /// This executable, which also runs the cases.
    pub program: PathBuf,
    /// Seed of the random numbers; the same seed generates the same cases.
    pub seed: u64,
    /// When the loop ends.
    pub bounds: Bounds,
    /// Folder for the findings.
    pub folder: PathBuf,
    /// Additional seed files, by target.
    pub corpus: Vec<(String, Vec<u8>)>,
    /// CPU time in milliseconds above which a parse is slow.
    pub slow: u64,
    /// A finding whose rule contains this text ends the loop.
    pub until: Option<String>,
    /// A fault that is injected into the parser.
    pub seeded_fault: Option<SeededFault>,
}

/// Result of a fuzz run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Name of the fuzz target.
    pub target: &'static str,
    /// Number of seed files.
    pub seeds: usize,
    /// Number of cases.
    pub cases: u64,
    /// Number of distinct outcomes.
    pub shapes: usize,
    /// Longest parse, in milliseconds of CPU time.
    pub slowest: u64,
    /// The findings, deduplicated.
    pub findings: Vec<Finding>,
    /// Library panics that the parsers caught, with their number.
    pub caught: BTreeMap<String, u64>,
}

impl FuzzSettings {
    /// Fuzzes one target.
    ///
    /// # Errors
    /// When the confined process cannot be started or findings cannot be written.
    pub fn run(&self, target: &'static Target) -> anyhow::Result<Summary> {
        FuzzLoop::of(self, target)?.run()
    }
}

/// The outcome of a case.
enum CaseOutcome {
    Reported(CaseReport),
    /// The process exited, or was killed.
    ProcessEnded(&'static str),
}

/// A fuzz loop in progress.
struct FuzzLoop<'h> {
    settings: &'h FuzzSettings,
    target: &'static Target,
    random: Random,
    corpus: Vec<Vec<u8>>,
    corpus_bytes: usize,
    words: Dictionary,
    shapes: HashSet<u64>,
    process: Process,
    summary: Summary,
}

impl<'h> FuzzLoop<'h> {
    fn of(hunt: &'h FuzzSettings, target: &'static Target) -> anyhow::Result<Self> {
        let mut kept = (target.seeds)();
        kept.extend(hunt.corpus.iter().filter(|(name, _)| name == target.name).map(|(_, file)| file.clone()));
        let parts: Vec<_> = kept.iter().filter_map(|file| target.container.unpack(file)).flatten().collect();
        let contents = kept.iter().map(Vec::as_slice);
        let contents = contents
            .chain(parts.iter().map(|part| part.content.as_slice()))
            .chain(parts.iter().map(|part| part.head.as_slice()));
        let words = Dictionary::of(contents);
        let summary = Summary {
            target: target.name,
            seeds: kept.len(),
            cases: 0,
            shapes: 0,
            slowest: 0,
            findings: Vec::new(),
            caught: BTreeMap::new(),
        };
        // Each target has a random sequence of its own.
        let salt =
            target.name.bytes().fold(0_u64, |salt, byte| salt.wrapping_mul(31).wrapping_add(byte.into()));
        let process = Process::start(hunt, target)?;
        let kept_bytes = kept.iter().map(Vec::len).sum();
        Ok(Self {
            settings: hunt,
            target,
            random: Random::new(hunt.seed ^ salt),
            corpus: kept,
            corpus_bytes: kept_bytes,
            words,
            shapes: HashSet::new(),
            process,
            summary,
        })
    }

    fn run(mut self) -> anyhow::Result<Summary> {
        let began = Instant::now();
        // The seeds must satisfy the invariants too.
        for index in 0..self.corpus.len() {
            let case = self.corpus.get(index).cloned().unwrap_or_default();
            self.try_case(case, false)?;
        }
        while self.is_within_bounds(began) {
            let case = self.next();
            self.try_case(case, true)?;
        }
        self.summary.shapes = self.shapes.len();
        Ok(self.summary)
    }

    fn is_within_bounds(&self, began: Instant) -> bool {
        let ends = |words: &String| self.summary.findings.iter().any(|finding| finding.rule.contains(words));
        let found = self.settings.until.as_ref().is_some_and(ends);
        !found
            && match self.settings.bounds {
                Bounds::Cases(cases) => self.summary.cases < cases,
                Bounds::Time(time) => began.elapsed() < time,
            }
    }

    fn next(&mut self) -> Vec<u8> {
        let empty = Vec::new();
        let (file, donor) = (self.random.below(self.corpus.len()), self.random.below(self.corpus.len()));
        let (file, donor) =
            (self.corpus.get(file).unwrap_or(&empty), self.corpus.get(donor).unwrap_or(&empty));
        mutate(self.target.container, file, donor, &self.words, &mut self.random)
    }

    fn try_case(&mut self, case: Vec<u8>, keep: bool) -> anyhow::Result<()> {
        self.summary.cases += 1;
        let outcome = self.process.attempt(&case);
        let wrong = match outcome {
            CaseOutcome::Reported(seen) => {
                self.summary.slowest = self.summary.slowest.max(seen.milliseconds);
                for place in seen.caught {
                    *self.summary.caught.entry(place).or_default() += 1;
                }
                let room = self.corpus.len() < KEPT && self.corpus_bytes + case.len() < KEPT_BYTES;
                // Slow cases slow down the whole loop.
                if self.shapes.insert(seen.shape) && keep && room && seen.milliseconds < 500 {
                    self.corpus_bytes += case.len();
                    self.corpus.push(case.clone());
                }
                seen.wrong
            }
            CaseOutcome::ProcessEnded(why) => {
                self.process = Process::start(self.settings, self.target)?;
                Some((why.to_owned(), String::new()))
            }
        };
        wrong.map_or(Ok(()), |(rule, told)| self.record(rule, told, &case))
    }

    fn record(&mut self, rule: String, told: String, case: &[u8]) -> anyhow::Result<()> {
        if let Some(known) = self.summary.findings.iter_mut().find(|finding| finding.rule == rule) {
            known.times += 1;
            return Ok(());
        }
        // The whole case is written first: minimising it may be cut short.
        let folder: &Path = &self.settings.folder;
        let file = findings::store(folder, self.target.name, &rule, case)?;
        let most = if matches!(rule.as_str(), TIME | MEMORY | "slow") { SLOW_SMALLER } else { SMALLER };
        let mut failed = None;
        let smaller = minimise(self.target.container, case, most, |bytes| {
            let shown = match self.process.attempt(bytes) {
                CaseOutcome::Reported(seen) => seen.wrong.is_some_and(|(wrong, _)| wrong == rule),
                CaseOutcome::ProcessEnded(why) => {
                    match Process::start(self.settings, self.target) {
                        Ok(process) => self.process = process,
                        Err(error) => failed = Some(error),
                    }
                    why == rule
                }
            };
            shown && failed.is_none()
        });
        if let Some(error) = failed {
            return Err(error);
        }
        findings::store(folder, self.target.name, &rule, &smaller)?;
        self.summary.findings.push(Finding { target: self.target.name, rule, detail: told, file, times: 1 });
        Ok(())
    }
}

const TIME: &str = "no end in sight";
const MEMORY: &str = "out of memory or stack";

/// The confined process of a target, and the thread that reads its output. Dropping it kills the process.
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
}

impl Process {
    fn start(hunt: &FuzzSettings, target: &Target) -> anyhow::Result<Self> {
        let fault = hunt.seeded_fault.map_or("", SeededFault::name);
        let mut child = Command::new(&hunt.program)
            .args(["--serve", &target.file_name(), "--slow", &hunt.slow.to_string(), "--seeded-fault", fault])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", hunt.program.display()))?;
        let input = child.stdin.take();
        let mut output = child.stdout.take().context("the confined process has no output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(answer)) = frame(&mut output) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, answers })
    }

    fn attempt(&mut self, case: &[u8]) -> CaseOutcome {
        let sent = self.input.as_mut().is_some_and(|input| send(input, case).is_ok());
        if !sent {
            return self.exit_reason();
        }
        match self.answers.recv_timeout(WALL) {
            Ok(answer) => serde_json::from_slice(&answer)
                .map_or(CaseOutcome::ProcessEnded(MEMORY), CaseOutcome::Reported),
            Err(RecvTimeoutError::Timeout) => CaseOutcome::ProcessEnded(TIME),
            Err(RecvTimeoutError::Disconnected) => self.exit_reason(),
        }
    }

    /// SIGXCPU and SIGKILL come from the CPU limit; all other exits come from memory or the stack.
    fn exit_reason(&mut self) -> CaseOutcome {
        const SIGKILL: i32 = 9;
        const SIGXCPU: i32 = 24;
        match self.child.wait().ok().and_then(|status| status.signal()) {
            Some(SIGKILL | SIGXCPU) => CaseOutcome::ProcessEnded(TIME),
            _ => CaseOutcome::ProcessEnded(MEMORY),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
