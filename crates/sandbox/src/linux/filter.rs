//! The system calls that the filter serves.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{self, Eq, MaskedEq, Ne};
use seccompiler::{
    BackendError, BpfProgram, Error, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    apply_filter,
};

/// Rules by the number of the call. A call without rules is served with any arguments; otherwise one rule
/// must match.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// `clone` with these flags makes namespaces, or a child of the parent.
const SEPARATING: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT) as u64;
const THREAD: u64 = libc::CLONE_THREAD as u64;
const EXECUTABLE: u64 = libc::PROT_EXEC as u64;

/// What computing takes, in any process.
const COMPUTE: &[i64] = &[
    // Descriptors that are open
    libc::SYS_close,
    libc::SYS_ppoll,
    // Memory
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    // Threads and their end
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_getcpu,
    libc::SYS_membarrier,
    libc::SYS_exit,
    libc::SYS_exit_group,
    // Signals of its own
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    // Time, randomness, and what it is
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_sysinfo,
    libc::SYS_uname,
    libc::SYS_getpid,
    libc::SYS_gettid,
];

/// What starting a program and reading files takes, in addition. Nothing here changes a file, opens a
/// socket, or leaves the process group, by which the server ends a program with its children.
const PROGRAM: &[i64] = &[
    libc::SYS_openat,
    libc::SYS_newfstatat,
    libc::SYS_fstat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_lseek,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_fadvise64,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_execve,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_set_tid_address,
    libc::SYS_umask,
    libc::SYS_getppid,
    libc::SYS_getpgid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getgroups,
];

/// Older forms of the calls above, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const OLD_COMPUTE: &[i64] = &[libc::SYS_poll, libc::SYS_time, libc::SYS_getrlimit];
#[cfg(target_arch = "x86_64")]
const OLD_PROGRAM: &[i64] = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_COMPUTE: &[i64] = &[];
#[cfg(not(target_arch = "x86_64"))]
const OLD_PROGRAM: &[i64] = &[];

/// `TCGETS`, `TCGETS2` and `FIONREAD`: whether a descriptor is a terminal, and how much can be read. The crate
/// `libc` has them in a type that depends on the C library.
const QUESTIONS: [u64; 3] = [0x5401, 0x802c_542a, 0x541b];

/// Input is descriptor 0, output is 1 and 2, whatever else the server's own parent left open. Signals go to
/// itself alone, limits are its own, memory is never executable.
pub(super) fn compute_rules(own: i32) -> Result<Rules, BackendError> {
    let mut rules = common_rules(own)?;
    let threads = MaskedEq(THREAD | SEPARATING);
    rules.insert(libc::SYS_clone, vec![rule(&[(0, threads, THREAD)])?]);
    for (call, descriptors) in [
        (libc::SYS_read, [0].as_slice()),
        (libc::SYS_readv, &[0]),
        (libc::SYS_write, &[1, 2]),
        (libc::SYS_writev, &[1, 2]),
    ] {
        rules.insert(call, any_of(0, descriptors)?);
    }
    for call in [libc::SYS_mmap, libc::SYS_mprotect] {
        rules.insert(call, vec![rule(&[(2, MaskedEq(EXECUTABLE), 0)])?]);
    }
    Ok(rules)
}

/// As [`compute_rules`], with files, processes and executable memory.
pub(super) fn program_rules(own: i32) -> Result<Rules, BackendError> {
    let mut rules = common_rules(own)?;
    rules.extend(PROGRAM.iter().chain(OLD_PROGRAM).map(|call| (*call, Vec::new())));
    rules.insert(libc::SYS_clone, vec![rule(&[(0, MaskedEq(SEPARATING), 0)])?]);
    rules.insert(libc::SYS_kill, vec![rule(&[(0, Eq, u64::from(own.unsigned_abs()))])?]);
    // Not `F_SETOWN` and its like: they direct signals at any process.
    let owners = [libc::F_SETOWN, F_SETOWN_EX].map(|command| (1, Ne, u64::from(command.unsigned_abs())));
    rules.insert(libc::SYS_fcntl, vec![rule(&owners)?]);
    rules.insert(libc::SYS_ioctl, any_of(1, &QUESTIONS)?);
    rules.insert(libc::SYS_prctl, any_of(0, &[libc::PR_SET_NAME as u64, libc::PR_GET_NAME as u64])?);
    Ok(rules)
}

/// Of Linux; the C library's headers have it, the crate `libc` for some targets only.
const F_SETOWN_EX: i32 = 15;

fn common_rules(own: i32) -> Result<Rules, BackendError> {
    let mut rules: Rules = COMPUTE.iter().chain(OLD_COMPUTE).map(|call| (*call, Vec::new())).collect();
    rules.insert(libc::SYS_tgkill, vec![rule(&[(0, Eq, u64::from(own.unsigned_abs()))])?]);
    // Process 0 is the caller.
    rules.insert(libc::SYS_prlimit64, vec![rule(&[(0, Eq, 0)])?]);
    Ok(rules)
}

/// All conditions hold: the index of an argument, the comparison, the value.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, BackendError> {
    let conditions = conditions
        .iter()
        .map(|(argument, operator, value)| SeccompCondition::new(*argument, Dword, operator.clone(), *value))
        .collect::<Result<Vec<_>, _>>()?;
    SeccompRule::new(conditions)
}

/// The argument is one of these values.
fn any_of(argument: u8, values: &[u64]) -> Result<Vec<SeccompRule>, BackendError> {
    values.iter().map(|value| rule(&[(argument, Eq, *value)])).collect()
}

pub(super) fn install(rules: Rules) -> Result<(), Error> {
    let refused = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let filter = SeccompFilter::new(rules, refused, SeccompAction::Allow, TargetArch::try_from(ARCH)?)?;
    let program: BpfProgram = filter.try_into()?;
    apply_filter(&program)
}
