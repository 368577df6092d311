//! The commands that use a server: the real binary, with a server of its own and with a running one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests assert")]

mod extract;
mod models;
mod others;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// A form with two fields.
const FORM: &str = r#"{
  "title": "Invoice",
  "schema": {
    "invoice_number": {"type": "string", "order": 1},
    "total": {"type": "number", "order": 2, "description": "Amount to pay"}
  }
}"#;

/// An invoice as a text.
fn invoice(number: u32) -> String {
    format!(
        "Harbour Light Chandlers Ltd\n\nInvoice number: HL-{number}\nDate: 2026-03-14\n\nTotal: {number}.50 EUR\n"
    )
}

/// A folder with files and a data folder.
struct Workplace(tempfile::TempDir);

impl Workplace {
    fn new(files: &[(&str, &str)]) -> Self {
        let workplace = Self(tempfile::tempdir().unwrap());
        for (name, content) in files {
            workplace.put(name, content);
        }
        workplace
    }

    /// With the form, and this number of invoices in the folder `inbox`.
    fn with_invoices(count: u32) -> Self {
        let workplace = Self::new(&[("invoice.json", FORM)]);
        for number in 1..=count {
            workplace.put(&format!("inbox/{number:04}.txt"), &invoice(number));
        }
        workplace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// `formwork` in this folder, without the settings of whoever runs the tests.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_formwork"));
        command.current_dir(self.0.path()).env_clear().args(arguments).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What is printed by a command that succeeds.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// What a command that fails says.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// What a command prints for these lines on standard input.
    fn fed(&self, arguments: &[&str], input: &str) -> String {
        let mut command = self.command(arguments);
        let mut process =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// A server on the data folder of this one, and its URL.
    fn serve(&self) -> Running {
        let mut process =
            self.command(&["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url =
            line.split_whitespace().find(|word| word.starts_with("http")).unwrap_or_else(|| panic!("{line}"));
        Running { url: url.to_owned(), process }
    }
}

/// A server that ends with its test.
struct Running {
    url: String,
    process: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _gone = self.process.kill();
        let _gone = self.process.wait();
    }
}
