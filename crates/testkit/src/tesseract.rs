//! A script in place of `tesseract`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};

/// The header of the TSV output of `tesseract`.
pub const TSV_HEAD: &str =
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n";

/// A shell script named `tesseract` in a temporary folder. It reports version 9.8.7 and data for German,
/// English and orientation detection.
#[derive(Debug)]
pub struct ScriptedTesseract {
    folder: tempfile::TempDir,
}

impl ScriptedTesseract {
    /// A script that runs `work`, shell commands, for each image.
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

    /// A script that recognises these lines in every image.
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

    /// A script that never answers.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn hanging() -> anyhow::Result<Self> {
        Self::new("cat > /dev/null\nexec /bin/sleep 600")
    }

    /// The path of the script.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("tesseract")
    }
}

/// Writes the script in another process. If this one had it open for writing, a concurrently forked child
/// could inherit the descriptor, and running the script would fail.
fn write_program(path: &Path, script: &str) -> anyhow::Result<()> {
    let mut writer = Command::new("/bin/sh")
        .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()?;
    writer.stdin.take().context("the shell has no stdin pipe")?.write_all(script.as_bytes())?;
    ensure!(writer.wait()?.success(), "{} cannot be written", path.display());
    Ok(())
}
