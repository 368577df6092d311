//! Ends the process after a chosen commit, before its callers learn of it. Only debug builds do so: tests kill a server
//! at each commit boundary and look at what the next one finds.

/// Called after each commit. The variable `CRASH_AFTER_COMMITS` names a file with the number of further commits that the
/// process survives; without the file it survives all.
#[cfg(debug_assertions)]
#[expect(clippy::disallowed_methods, reason = "no setting: release builds do not have it")]
pub(crate) fn after_commit() {
    use std::path::PathBuf;
    use std::sync::OnceLock;

    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var("CRASH_AFTER_COMMITS").ok().map(PathBuf::from));
    let Some(file) = file else { return };
    let Some(left) = std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse::<u32>().ok())
    else {
        return;
    };
    match left.checked_sub(1) {
        // A file that was removed meanwhile stays so.
        Some(fewer) if file.exists() => drop(std::fs::write(file, fewer.to_string())),
        Some(_) => {}
        None => std::process::abort(),
    }
}

#[cfg(not(debug_assertions))]
pub(crate) const fn after_commit() {}
