//! Finds executables.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// The first of these names, in their order, that is executable in an absolute folder of `path`, the value of
/// `PATH`.
#[must_use]
pub fn find_program(path: &OsStr, names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(path).filter(|folder| folder.is_absolute()).collect();
    let named = |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|file| is_executable(file));
    names.iter().find_map(named)
}

/// Whether the path is a file with an execute permission.
#[must_use]
pub fn is_executable(program: &Path) -> bool {
    std::fs::metadata(program).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_are_looked_for_in_their_order_among_absolute_folders() {
        let root = tempfile::tempdir().unwrap();
        let put = |name: &str, mode: u32| {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            file
        };
        put("one/first", 0o644);
        fs::create_dir_all(root.path().join("one/second")).unwrap();
        let (second, other) = (put("two/second", 0o755), put("one/third", 0o755));
        let path =
            std::env::join_paths([Path::new("two"), &root.path().join("one"), &root.path().join("two")]);
        let path = path.unwrap();
        assert_eq!(find_program(&path, &["first", "second", "third"]), Some(second));
        assert_eq!(find_program(&path, &["third", "second"]), Some(other));
        assert_eq!(
            (find_program(&path, &["first"]), find_program(OsStr::new(""), &["second"])),
            (None, None)
        );
    }
}
