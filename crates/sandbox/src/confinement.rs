//! Which layers confine a process.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the process is separated from others of the user that started it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserIsolation {
    /// It is not.
    #[default]
    None,
    /// By a user namespace: the same user, without rights over processes outside.
    Namespace,
    /// By a user of its own, which owns no files.
    OwnUser,
}

/// The layers that hold for a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// No program that it starts can gain privileges.
    pub no_new_privileges: bool,
    /// Separation from the user that started it.
    pub user: UserIsolation,
    /// Version of the Landlock interface that is enforced; 0 without Landlock.
    pub landlock_abi: u32,
    /// Whether its system calls are filtered.
    pub seccomp: bool,
}

impl Confinement {
    /// Whether neither files nor sockets nor other processes are in reach. A user of its own is a further layer
    /// that this does not need.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing().is_empty()
    }

    /// Names of the necessary layers that are missing.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let layers = [
            (self.no_new_privileges, "no_new_privs"),
            (self.landlock_abi > 0, "Landlock"),
            (self.seccomp, "seccomp"),
        ];
        layers.into_iter().filter(|(holds, _)| !holds).map(|(_, name)| name).collect()
    }
}

/// Lists the layers that hold, or says that there is none.
impl fmt::Display for Confinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let user = match self.user {
            UserIsolation::None => None,
            UserIsolation::Namespace => Some("a user namespace".to_owned()),
            UserIsolation::OwnUser => Some("an own user".to_owned()),
        };
        let layers = [
            self.no_new_privileges.then(|| "no_new_privs".to_owned()),
            user,
            (self.landlock_abi > 0).then(|| format!("Landlock ABI {}", self.landlock_abi)),
            self.seccomp.then(|| "seccomp".to_owned()),
        ];
        let layers: Vec<String> = layers.into_iter().flatten().collect();
        f.write_str(if layers.is_empty() { "nothing" } else { "" })?;
        f.write_str(&layers.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_listed_and_missing_ones_named() {
        let all = Confinement {
            no_new_privileges: true,
            user: UserIsolation::OwnUser,
            landlock_abi: 6,
            seccomp: true,
        };
        assert_eq!(all.to_string(), "no_new_privs, an own user, Landlock ABI 6, seccomp");
        assert!(all.is_complete());
        let old = Confinement { user: UserIsolation::None, landlock_abi: 0, ..all };
        assert_eq!((old.to_string().as_str(), old.missing()), ("no_new_privs, seccomp", vec!["Landlock"]));
        assert_eq!(Confinement::default().to_string(), "nothing");
    }
}
