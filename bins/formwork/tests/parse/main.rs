//! `formwork parse`: the real binary on files, folders, pipes and standard input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

mod confined;
mod folders;
mod forms;
#[cfg(target_os = "linux")]
mod sandbox;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// A folder of files to read.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        for (name, content) in files {
            desk.put(name, content.as_bytes());
        }
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// `formwork parse` in this folder, without the settings of whoever runs the tests.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
        command.current_dir(self.0.path()).env_clear().arg("parse").args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What is printed where nothing may go wrong.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What is printed for an input on standard input.
    fn fed(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut process = self.piped(arguments);
        process.stdin.take().unwrap().write_all(input).unwrap();
        process.wait_with_output().unwrap()
    }

    fn piped(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The files in a folder and below it.
    fn files(&self, folder: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.path(folder)];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    open.push(entry.path());
                } else {
                    found.push(self.below(&entry.path()));
                }
            }
        }
        found.sort();
        found
    }

    fn below(&self, path: &Path) -> String {
        path.strip_prefix(self.0.path()).unwrap().display().to_string()
    }
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn told(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}
