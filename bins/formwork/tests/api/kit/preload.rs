//! Libraries that are loaded before the system's, to change what a server is told by the system.

use std::path::PathBuf;
use std::process::Command;

use super::Home;

/// Compiles such a library, for `LD_PRELOAD`; `None`, after saying so, where there is no C compiler.
pub(crate) fn preload(home: &Home, source: &str) -> Option<PathBuf> {
    let (file, library) = (home.path("shim.c"), home.path("shim.so"));
    std::fs::write(&file, source).unwrap();
    let compiled =
        Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&file).output();
    if compiled.is_ok_and(|output| output.status.success()) {
        return Some(library);
    }
    eprintln!("there is no C compiler: what the system tells a server is not changed, and the test SKIPPED");
    None
}
