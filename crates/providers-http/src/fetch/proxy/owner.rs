//! Determines the owner of a connection. Every process on the machine can see the address of a proxy, and a
//! password on the browser's command line would be as visible. The system knows which user opened a
//! connection.

use std::io;
use std::net::SocketAddr;

/// Whether the IPv4 loopback connection from `from` to `own` belongs to the user of this process.
///
/// # Errors
/// When the system's table cannot be read.
#[cfg(target_os = "linux")]
pub(super) async fn is_own(from: SocketAddr, own: SocketAddr) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    let table = tokio::fs::read_to_string("/proc/self/net/tcp").await?;
    let user = tokio::fs::metadata("/proc/self").await?.uid();
    Ok(user_of(&table, from, own) == Some(user))
}

/// Other systems have no such table that can be read without unsafe code.
#[cfg(not(target_os = "linux"))]
pub(super) async fn is_own(_: SocketAddr, _: SocketAddr) -> io::Result<bool> {
    Ok(true)
}

/// The user id of the socket from `from` to `to` in Linux's table. Each line has number, local and remote
/// address, state, three fields, and the user id. Addresses are hexadecimal numbers in memory byte order.
#[cfg(any(target_os = "linux", test))]
fn user_of(table: &str, from: SocketAddr, to: SocketAddr) -> Option<u32> {
    let (from, to) = (written(from)?, written(to)?);
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().take(8).collect();
        let [_, local, remote, _, _, _, _, user] = fields.as_slice() else { return None };
        if *local == from && *remote == to { user.parse().ok() } else { None }
    })
}

#[cfg(any(target_os = "linux", test))]
fn written(address: SocketAddr) -> Option<String> {
    match address {
        SocketAddr::V4(address) => {
            Some(format!("{:08X}:{:04X}", u32::from_ne_bytes(address.ip().octets()), address.port()))
        }
        SocketAddr::V6(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_of_a_connection_is_found_by_both_its_ends() {
        let (one, two) = ("127.0.0.1:40000", "127.0.0.1:50000");
        let (one, two): (SocketAddr, SocketAddr) = (one.parse().unwrap(), two.parse().unwrap());
        let row = |from, to, user: u32| {
            format!(
                "   0: {} {} 01 00000000:00000000 00:00000000 00000000  {user}        0 77 1 0\n",
                written(from).unwrap(),
                written(to).unwrap()
            )
        };
        let table =
            format!("  sl  local_address rem_address   st\n{}{}", row(two, one, 5), row(one, two, 1_000));
        assert_eq!(user_of(&table, one, two), Some(1_000));
        assert_eq!(user_of(&table, two, one), Some(5));
        assert_eq!(user_of(&table, one, one), None);
        assert_eq!(user_of("", one, two), None);
    }
}
