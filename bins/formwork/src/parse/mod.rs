//! `formwork parse`: converts files to Markdown, JSON, tables or text in the same sandboxed processes that
//! the server uses. It uses no server, database or data folder.

pub(crate) mod folder;
mod format;
pub(crate) mod inputs;
mod json_lines;
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

use crate::csv::CsvWriter;
use crate::settings::{Settings, threads};
use crate::shutdown::StopSignals;
use folder::Folder;
use format::{FormFlags, OutputFormat};
use inputs::Input;
use ocr::Ocr;
use progress::Progress;
use reader::{Failure, FileReader};

/// Exit code that shells use for an interrupted program.
const INTERRUPTED: u8 = 130;
/// Maximum delay of the exit by a read that cannot be cancelled.
const PATIENCE: Duration = Duration::from_millis(200);

/// Arguments of `formwork parse`.
#[derive(Debug, Args)]
pub(crate) struct ParseCommand {
    /// Files, folders with everything below them, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
    /// Write one file per input file into this folder, instead of printing
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace existing files in the output folder
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Name for standard input; its extension selects the kind of text, such as table.csv
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Reads the files concurrently and prints them in order.
///
/// # Errors
/// When nothing could be started or the output cannot be written. Files that cannot be read are reported one
/// by one and make the exit code 1.
pub(crate) fn run(command: ParseCommand, settings: &Settings) -> anyhow::Result<ExitCode> {
    let pool = crate::parsers::pool(settings, None)?;
    let parsers = threads(settings.workers.parsers);
    let csv = settings.export.csv();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(parsers)
        .enable_all()
        .build()
        .context("the runtime cannot be started")?;
    let result = runtime.block_on(async {
        let mut signals = StopSignals::listen()?;
        let launcher = crate::parsers::launcher(settings)?;
        let ocr = Arc::new(Ocr::new(settings.ocr.clone(), launcher, pool.clone()));
        let reader = FileReader { pool, ocr, limit: settings.limits.file_bytes };
        // Runs on a thread of its own, so that a blocked output does not delay signals.
        let work = tokio::spawn(async move { ParseRun::of(command, csv, reader)?.run(2 * parsers).await });
        tokio::select! {
            done = work => done.context("the work ended in a panic")?,
            () = signals.next() => Ok(ExitCode::from(INTERRUPTED)),
        }
    });
    // Ends the processes of abandoned files.
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

    /// Reads `together` files concurrently. Only their results are held until they are printed.
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

/// Prints one file. With several files, Markdown, tables and text follow a line with the file's name.
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
