//! A program that stands in for `tesseract`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

/// The head of the table that `tesseract` prints.
pub const TSV_HEAD: &str =
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

/// A shell script named `tesseract`, in a folder that goes with it. It is version 9.8.7 and has data for German,
/// English and the direction of pages.
#[derive(Debug)]
pub struct ScriptedTesseract {
    folder: tempfile::TempDir,
}

impl ScriptedTesseract {
    /// One that does `work`, commands of the shell, for each picture.
    ///
    /// # Errors
    /// When the script cannot be written.
    pub fn new(work: &str) -> anyhow::Result<Self> {
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in\n--version) echo 'tesseract 9.8.7'; exit 0;;\n\
             --list-langs) printf 'List of available languages (3):\\ndeu\\neng\\nosd\\n'; exit 0;;\nesac\n{work}\n"
        );
        let folder = tempfile::tempdir()?;
        write_program(&folder.path().join("tesseract"), &script)?;
        Ok(Self { folder })
    }

    /// One that reads these lines in every picture, each word once.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_lines(lines: &str) -> anyhow::Result<Self> {
        let mut tsv = TSV_HEAD.to_owned();
        for (row, line) in lines.lines().enumerate() {
            let (mut left, top) = (10, 10 + 20 * row);
            for (place, word) in line.split(' ').enumerate() {
                let width = 8 * word.len();
                tsv += &format!("5\t1\t1\t1\t{row}\t{place}\t{left}\t{top}\t{width}\t12\t95\t{word}\n");
                left += width + 5;
            }
        }
        Self::new(&format!("cat > /dev/null\ncat <<'END'\n{tsv}END"))
    }

    /// One that never answers.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn hanging() -> anyhow::Result<Self> {
        Self::new("cat > /dev/null\nexec /bin/sleep 600")
    }

    /// The script.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("tesseract")
    }
}

/// Writes a program by another process: a file that this one has open for writing, if only in a child that is just
/// being started, cannot be run.
fn write_program(path: &Path, script: &str) -> anyhow::Result<()> {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()?;
    writer.stdin.take().context("a pipe was asked for")?.write_all(script.as_bytes())?;
    ensure!(writer.wait()?.success(), "{} cannot be written", path.display());
    Ok(())
}
