//! Classifies host names that point inside, whatever a resolver returns for them.

use std::net::Ipv4Addr;

use super::addresses::{AddressClass, classify_address};

/// Host names of cloud metadata services; never fetched.
const METADATA: &[&str] =
    &["metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"];

/// Suffixes of names that no public resolver knows, or should know (RFC 6761, 6762, 7686, 8375, 9476; ICANN's
/// `internal`; conventions of local networks).
const INSIDE: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "test",
    "invalid",
    "onion",
    "alt",
];

/// What the name alone decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameClass {
    /// Nothing: the addresses decide.
    Open,
    /// It is an internal name, so all its addresses must be on the allow-list.
    Inside,
    /// It is never fetched.
    Metadata,
}

/// Classifies a name, which must be in lower case and without a final dot.
pub(super) fn classify_name(host: &str) -> NameClass {
    if METADATA.contains(&host) {
        return NameClass::Metadata;
    }
    match class_of_embedded_address(host) {
        Some(AddressClass::Metadata) => return NameClass::Metadata,
        Some(AddressClass::Private) => return NameClass::Inside,
        _ => {}
    }
    let ends = |end: &str| host.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    // The resolver completes a name of one label with the local search domain.
    if !host.contains('.') || INSIDE.iter().any(|end| ends(end)) {
        return NameClass::Inside;
    }
    NameClass::Open
}

/// Whether the name is that of this machine (RFC 6761, section 6.3), which is not resolved.
pub(super) fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

/// The strictest class of an address written within a name. Some services resolve any such name to its
/// address (`10.0.0.1.example.net`, `10-0-0-1.example.net`), in the notations of `inet_aton`.
fn class_of_embedded_address(host: &str) -> Option<AddressClass> {
    let labels: Vec<&str> = host.split('.').collect();
    let dotted = labels.windows(4).filter_map(address);
    let dashed = labels.iter().flat_map(|label| {
        let parts: Vec<&str> = label.split('-').collect();
        parts.windows(4).filter_map(address).collect::<Vec<_>>()
    });
    let found = dotted.chain(dashed).map(|address| classify_address(address.into()));
    found.max_by_key(|standing| match standing {
        AddressClass::Public => 0,
        AddressClass::Private => 1,
        AddressClass::Metadata => 2,
    })
}

fn address(parts: &[&str]) -> Option<Ipv4Addr> {
    let [a, b, c, d] = parts else { return None };
    Some(Ipv4Addr::new(octet(a)?, octet(b)?, octet(c)?, octet(d)?))
}

fn octet(text: &str) -> Option<u8> {
    let (digits, radix) = match text.strip_prefix("0x") {
        Some(hex) => (hex, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    if digits.is_empty() || digits.starts_with('+') {
        return None;
    }
    u8::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_inside_are_told_from_those_of_the_web() {
        for name in [
            "example.com",
            "a.b.co.uk",
            "localhost.example.com",
            "mylocalhost.org",
            "1.1.1.1.nip.example.com",
        ] {
            assert_eq!(classify_name(name), NameClass::Open, "{name}");
        }
        for name in [
            "localhost",
            "a.localhost",
            "printer",
            "db.internal",
            "x.local",
            "nas.lan",
            "a.home.arpa",
            "www.corp",
            "10.0.0.1.nip.io",
            "app.127.0.0.1.nip.io",
            "0x7f.0.0.0x1.example.com",
            "app-192-168-1-9.sslip.io",
            "0177.0.0.1.example.com",
        ] {
            assert_eq!(classify_name(name), NameClass::Inside, "{name}");
        }
        for name in
            ["metadata.google.internal", "metadata", "169.254.169.254.nip.io", "169-254-169-254.sslip.io"]
        {
            assert_eq!(classify_name(name), NameClass::Metadata, "{name}");
        }
    }
}
