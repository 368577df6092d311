//! Rebuilds the crate when a migration changes: the macro that embeds them cannot tell by itself.

fn main() {
    println!("cargo::rerun-if-changed=../../migrations");
}
