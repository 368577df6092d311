//! Starts programs of others in a sandbox: this program confines itself, and then becomes the other one.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Profile, SandboxMode, confine};

/// Exit status of a process whose [`launch`] failed.
pub const LAUNCH_FAILED: u8 = 125;

/// The command that runs [`launch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launcher {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments. Those for [`launch`] are appended.
    pub args: Vec<OsString>,
    /// Variables for itself alone, which the program does not inherit.
    pub environment: Vec<(OsString, OsString)>,
    /// How strictly it confines the program.
    pub mode: SandboxMode,
}

impl Launcher {
    /// A command that confines itself and becomes `program`, which can read system folders, itself and the
    /// `readable` paths. Its environment is empty but for the launcher's own variables. The caller adds the
    /// program's arguments and variables.
    #[must_use]
    pub fn command(&self, program: &Path, readable: &[&Path]) -> Command {
        let mut command = Command::new(&self.program);
        command.env_clear().args(&self.args).arg(self.mode.name()).arg(self.environment.len().to_string());
        command.args(self.environment.iter().map(|(name, _)| name));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.arg(readable.len().to_string()).args(readable).arg(program);
        command
    }
}

/// Confines this process and becomes the program that [`Launcher::command`] names. Call it while the process
/// has one thread. It returns only when it fails.
///
/// # Errors
/// The reason: wrong arguments, a sandbox that is required and not complete, or a program that does not start.
pub fn launch(arguments: impl Iterator<Item = OsString>) -> io::Error {
    match prepare(arguments) {
        Ok(mut command) => command.exec(),
        Err(error) => error,
    }
}

fn prepare(mut arguments: impl Iterator<Item = OsString>) -> io::Result<Command> {
    let wrong = || io::Error::other("the launcher takes a mode, variables, paths and a program");
    let mode: SandboxMode = arguments
        .next()
        .as_deref()
        .and_then(OsStr::to_str)
        .ok_or_else(wrong)?
        .parse()
        .map_err(io::Error::other)?;
    let mut list = || {
        let count: usize = arguments.next()?.to_str()?.parse().ok()?;
        let list: Vec<OsString> = arguments.by_ref().take(count).collect();
        (list.len() == count).then_some(list)
    };
    let (variables, readable) = list().zip(list()).ok_or_else(wrong)?;
    let program = PathBuf::from(arguments.next().ok_or_else(wrong)?);
    if mode != SandboxMode::Off {
        let readable = readable.into_iter().map(PathBuf::from).chain([program.clone()]).collect();
        let confinement = confine(&Profile::Program(readable));
        if mode == SandboxMode::Required && !confinement.is_complete() {
            let missing = confinement.missing().join(", ");
            return Err(io::Error::other(format!("the sandbox is required and lacks {missing}")));
        }
    }
    let mut command = Command::new(program);
    for variable in variables {
        command.env_remove(variable);
    }
    command.args(arguments);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launcher(mode: SandboxMode) -> Launcher {
        Launcher {
            program: "/bin/formwork".into(),
            args: vec!["launch".into()],
            environment: vec![("RESERVE".into(), "1".into())],
            mode,
        }
    }

    #[test]
    fn a_launcher_passes_the_program_on_with_its_arguments_and_without_its_own_variables() {
        let mut command = launcher(SandboxMode::Off).command(Path::new("/bin/sh"), &[Path::new("/data")]);
        command.args(["-c", "true"]);
        assert_eq!(command.get_program(), "/bin/formwork");
        assert!(command.get_envs().eq([(OsStr::new("RESERVE"), Some(OsStr::new("1")))]));
        let arguments: Vec<OsString> = command.get_args().map(OsStr::to_owned).collect();
        let prepared = prepare(arguments.into_iter().skip(1)).unwrap();
        assert_eq!(prepared.get_program(), "/bin/sh");
        assert!(prepared.get_args().eq(["-c", "true"]));
        assert!(prepared.get_envs().eq([(OsStr::new("RESERVE"), None)]));
    }

    #[test]
    fn wrong_arguments_are_an_error() {
        for wrong in ["", "maybe 0 0 /bin/true", "off 2 A /bin/true", "off 0 x /bin/true", "off 0 1 /data"] {
            let arguments = wrong.split_whitespace().map(OsString::from);
            assert!(prepare(arguments).is_err(), "{wrong}");
        }
    }
}
