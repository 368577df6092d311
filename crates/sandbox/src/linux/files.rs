//! Landlock: which paths, ports and processes are in reach.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

/// The newest interface that this crate was written for. Older kernels enforce the part that they know.
const NEWEST: ABI = ABI::V10;

/// Where systems and their package managers keep programs, libraries and their data. Folders such as `/opt`,
/// `/srv` and the rest of `/usr` are missing because a server's own data may be there.
const SYSTEM: [&str; 24] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/usr/local/share",
    "/nix/store",
    "/gnu/store",
    "/home/linuxbrew/.linuxbrew",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/dev/zero",
    "/dev/urandom",
    "/sys/devices/system/cpu",
];

/// No path, no port, no process outside. Returns the interface version; 0 when nothing is enforced.
pub(super) fn deny_all() -> u32 {
    enforce(Ok)
}

/// Only system folders and these paths, for reading and execution.
pub(super) fn allow_programs(paths: &[PathBuf]) -> u32 {
    enforce(|rules| {
        let readable = SYSTEM.iter().map(Path::new).chain(paths.iter().map(PathBuf::as_path));
        // Paths that do not exist have no rule.
        rules
            .add_rules(path_beneath_rules(readable, AccessFs::from_read(ABI::V1)))?
            .add_rules(path_beneath_rules(["/dev/null"], AccessFs::ReadFile | AccessFs::WriteFile))
    })
}

fn enforce(allow: impl FnOnce(RulesetCreated) -> Result<RulesetCreated, RulesetError>) -> u32 {
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create);
    match rules.and_then(allow).and_then(RulesetCreated::restrict_self) {
        Ok(status) if status.ruleset != RulesetStatus::NotEnforced => match status.landlock {
            LandlockStatus::Available { effective_abi, .. } => effective_abi as u32,
            _ => 0,
        },
        Ok(_) | Err(_) => 0,
    }
}
