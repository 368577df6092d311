//! `formwork parse`: files to Markdown, JSON, tables or text, by the confined processes that the server uses too.
//! It knows no server, no database and no data folder.

mod folder;
mod inputs;
mod ocr;
mod output;
mod progress;
mod reader;
mod tables;

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use futures_util::{StreamExt as _, stream};

use crate::app;
use crate::csv::CsvWriter;
use crate::serve::StopSignals;
use crate::settings::{Settings, threads};
use folder::Folder;
use inputs::Input;
use ocr::Ocr;
use output::{FormFlags, OutputFormat};
use progress::Progress;
use reader::{Failure, FileReader};

/// What a shell reports of a program that was interrupted.
const INTERRUPTED: u8 = 130;
/// How long a read that cannot be called off may keep the program from ending.
const PATIENCE: Duration = Duration::from_millis(200);

/// What to read, and how to print it.
#[derive(Debug, Args)]
pub(crate) struct ParseCommand {
    /// Files, folders with all that is below them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
    /// Write one file for each one that is read into this folder, instead of printing them
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace files that are in the output folder already
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Name of what comes from standard input; it decides between kinds of text, such as table.csv
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Reads the files, several at once, and prints them in their order.
///
/// # Errors
/// When nothing could be begun or the output cannot be written; files that cannot be read are told one by one
/// and make the exit code 1.
pub(crate) fn run(command: ParseCommand, settings: &Settings) -> anyhow::Result<ExitCode> {
    let pool = app::parsers(settings)?;
    let parsers = threads(settings.workers.parsers);
    let csv = settings.export.csv();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(parsers)
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let result = runtime.block_on(async {
        let mut signals = StopSignals::listen()?;
        let ocr = Arc::new(Ocr::new(settings.ocr.clone(), pool.clone()));
        let reader = FileReader { pool, ocr, limit: settings.limits.file_bytes };
        // Work on a thread of its own: a reader of the output who pauses holds no signal up.
        let work = tokio::spawn(async move { ParseRun::of(command, csv, reader)?.run(2 * parsers).await });
        tokio::select! {
            done = work => done.context("the work ended in a panic")?,
            () = signals.next() => Ok(ExitCode::from(INTERRUPTED)),
        }
    });
    // Ends the processes of files that nobody waits for any more.
    runtime.shutdown_timeout(PATIENCE);
    result
}

/// One run.
struct ParseRun {
    inputs: Vec<Input>,
    form: OutputFormat,
    folder: Option<Folder>,
    progress: Progress,
    reader: FileReader,
}

impl ParseRun {
    fn of(command: ParseCommand, csv: CsvWriter, reader: FileReader) -> anyhow::Result<Self> {
        let folder =
            command.output.as_deref().map(|path| Folder::open(path, command.overwrite)).transpose()?;
        let inputs =
            inputs::collect(&command.files, command.name.as_deref(), folder.as_ref().map(Folder::path));
        let progress = Progress::of(inputs.len());
        Ok(Self { inputs, form: command.form.form(csv), folder, progress, reader })
    }

    /// Reads `together` files at a time. Only their results are held until it is their turn.
    async fn run(mut self, together: usize) -> anyhow::Result<ExitCode> {
        let several = self.inputs.len() > 1;
        let (form, reader) = (self.form, self.reader.clone());
        let mut results = stream::iter(std::mem::take(&mut self.inputs))
            .map(move |input| {
                let reader = reader.clone();
                tokio::spawn(async move {
                    let result = reader.read(&input, form).await;
                    (input, result)
                })
            })
            .buffered(together);
        let mut failed = false;
        while let Some(result) = results.next().await {
            let (input, result) = result.context("reading a file ended in a panic")?;
            let remarks = match &result {
                Ok(content) if !form.is_lines() => content.remarks(),
                _ => Vec::new(),
            };
            let written = match &mut self.folder {
                Some(folder) => result.and_then(|content| folder.write(&input, form, &content)),
                None => match print(&self.progress, &input, form, &result, several) {
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(code(failed)),
                    printed => {
                        printed.context("standard output cannot be written").map(|()| result.map(drop))?
                    }
                },
            };
            match written {
                Ok(()) => remarks.iter().for_each(|remark| self.progress.report_failure(&input, remark)),
                Err(failure) => {
                    failed = true;
                    self.progress.report_failure(&input, &failure);
                }
            }
            self.progress.advance();
        }
        self.progress.end();
        Ok(code(failed))
    }
}

fn code(failed: bool) -> ExitCode {
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Prints one file; of several, Markdown, tables and text come under a line with the file's name.
fn print(
    progress: &Progress,
    input: &Input,
    form: OutputFormat,
    result: &Result<reader::Content, Failure>,
    several: bool,
) -> io::Result<()> {
    progress.print_above(|| {
        let mut out = io::BufWriter::new(io::stdout().lock());
        match result {
            Ok(content) => {
                if several && !form.is_lines() {
                    writeln!(out, "==> {} <==\n", input.display_name())?;
                }
                output::write(&mut out, input, form, content)?;
                if several && !form.is_lines() {
                    writeln!(out)?;
                }
            }
            Err(failure) if form.is_lines() => output::write_failure(&mut out, input, failure)?,
            Err(_) => {}
        }
        out.flush()
    })
}
