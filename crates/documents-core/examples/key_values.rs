//! Prints the keys and values of files: `cargo run -p documents-core --example key_values -- FILE…`
#![allow(clippy::print_stdout, reason = "that is what it is for")]

use document::key_values;
use documents_core::{Limits, parse};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        println!("# {path}");
        match parse(&std::fs::read(&path)?, &path, &Limits::default()) {
            Ok(document) => {
                for pair in key_values(&document) {
                    println!("{}", serde_json::to_string(&pair)?);
                }
            }
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
