//! Prints the schemas of forms described in plain words, one for each argument, with the time each took:
//! `cargo run --release -p rules-engine --example form_from_words -- "name, email and age"`.
#![allow(clippy::print_stdout, reason = "it prints")]

use std::time::Instant;

use rules_engine::schema::generate_schema;
use serde_json::Value;

fn main() {
    for content in std::env::args().skip(1) {
        let start = Instant::now();
        match generate_schema(&content) {
            Ok(schema) => println!("{:#}\n{:?}", Value::Object(schema), start.elapsed()),
            Err(error) => println!("{error}"),
        }
    }
}
