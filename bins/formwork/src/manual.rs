//! `formwork man` and `formwork completion`: the manual pages, and completion for shells.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

/// How completion is installed, for `--help`.
pub(crate) const COMPLETION_EXAMPLES: &str = "Examples:
  formwork completion bash > ~/.local/share/bash-completion/completions/formwork
  formwork completion zsh > ~/.zfunc/_formwork              (~/.zfunc in fpath, before compinit)
  formwork completion fish > ~/.config/fish/completions/formwork.fish";

/// How a page is read, for `--help`.
pub(crate) const MANUAL_EXAMPLES: &str = "Examples:
  formwork man extract | man -l -
  formwork man --output ~/.local/share/man/man1";

/// Arguments of `formwork completion`.
#[derive(Args, Debug)]
pub(crate) struct CompletionCommand {
    /// The shell that reads the script
    shell: Shell,
}

impl CompletionCommand {
    /// The script for the commands of `program`.
    ///
    /// # Errors
    /// When it is not text, which no shell's is.
    pub(crate) fn run(self, mut program: Command) -> anyhow::Result<String> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "formwork", &mut script);
        Ok(String::from_utf8(script)?)
    }
}

/// Arguments of `formwork man`.
#[derive(Args, Debug)]
pub(crate) struct ManualCommand {
    /// The command, such as `runs watch` (default: formwork itself)
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

impl ManualCommand {
    /// What is printed: a page for `man` of the commands of `program`, or nothing where pages are written.
    ///
    /// # Errors
    /// When there is no such command, or the folder cannot be written.
    pub(crate) fn run(&self, program: Command) -> anyhow::Result<String> {
        match &self.output {
            Some(folder) => write_pages(program, folder).map(|()| String::new()),
            None => page(program, &self.command),
        }
    }
}

fn write_pages(program: Command, folder: &Path) -> anyhow::Result<()> {
    let shown = || format!("{} cannot be written", folder.display());
    std::fs::create_dir_all(folder).with_context(shown)?;
    clap_mangen::generate_to(program, folder).with_context(shown)
}

fn page(program: Command, names: &[String]) -> anyhow::Result<String> {
    let mut all = program.disable_help_subcommand(true);
    all.build();
    let mut command = &all;
    for name in names {
        let found = command.find_subcommand(name);
        command = found.with_context(|| format!("there is no command '{}'", names.join(" ")))?;
    }
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
