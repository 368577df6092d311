//! The operator's allow-list of private targets: hosts, addresses and networks.

use std::net::IpAddr;

use super::addresses::{AddressClass, Network, classify_address};

/// An allow-list. It never admits metadata addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowList {
    hosts: Vec<String>,
    networks: Vec<Network>,
}

/// An entry that is neither host, address nor network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is neither a host, nor an address, nor a network such as 10.0.0.0/8")]
pub struct AllowError(pub String);

impl AllowList {
    /// Parses entries: a host (`wiki.example.com`, or `*.example.com` for all its subdomains), an address
    /// (`10.0.0.7`, `fd12::7`, `[fd12::7]`) or a network (`10.0.0.0/8`). An entry names no port: it allows
    /// all ports.
    ///
    /// # Errors
    /// [`AllowError`] for the first entry that is none of these.
    pub fn parse<'a>(entries: impl IntoIterator<Item = &'a str>) -> Result<Self, AllowError> {
        let mut list = Self::default();
        for entry in entries.into_iter().map(str::trim).filter(|entry| !entry.is_empty()) {
            list.add(entry).ok_or_else(|| AllowError(entry.to_owned()))?;
        }
        Ok(list)
    }

    fn add(&mut self, entry: &str) -> Option<()> {
        if let Some((address, prefix)) = entry.split_once('/') {
            let prefix = prefix.bytes().all(|byte| byte.is_ascii_digit()).then(|| prefix.parse().ok())??;
            self.networks.push(Network::new(literal(address)?, prefix)?);
            return Some(());
        }
        if let Some(address) = literal(entry) {
            self.networks.push(Network::single(address));
            return Some(());
        }
        let (wild, name) = entry.strip_prefix("*.").map_or((false, entry), |rest| (true, rest));
        // Normalised as in URLs: lower case, Punycode.
        let url::Host::Domain(host) = url::Host::parse(name).ok()? else { return None };
        let host = host.trim_end_matches('.');
        if host.is_empty() || host.contains(['*', ':', '/', '@']) {
            return None;
        }
        self.hosts.push(if wild { format!("*.{host}") } else { host.to_owned() });
        Some(())
    }

    /// Whether the host (lower case, no final dot) is listed by name.
    pub(super) fn has_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|listed| match listed.strip_prefix('*') {
            Some(end) => host.ends_with(end),
            None => host == listed,
        })
    }

    /// Whether the address is listed. An IPv4-mapped IPv6 address counts as its IPv4 address too.
    pub(super) fn has_address(&self, address: IpAddr) -> bool {
        classify_address(address) != AddressClass::Metadata
            && self
                .networks
                .iter()
                .any(|network| network.contains(address) || network.contains(address.to_canonical()))
    }

    /// Whether an address or a network is listed.
    pub(super) fn has_networks(&self) -> bool {
        !self.networks.is_empty()
    }
}

fn literal(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_addresses_and_networks_are_read() {
        let list = AllowList::parse([
            "Wiki.Example.COM",
            " *.corp.example ",
            "10.0.0.7",
            "[fd12::7]",
            "fd13::/16",
            "",
        ]);
        let list = list.unwrap();
        assert!(list.has_host("wiki.example.com") && list.has_host("a.b.corp.example"));
        assert!(!list.has_host("corp.example") && !list.has_host("x.wiki.example.com"));
        for address in ["10.0.0.7", "::ffff:10.0.0.7", "fd12::7", "fd13:1::"] {
            assert!(list.has_address(address.parse().unwrap()), "{address}");
        }
        assert!(!list.has_address("10.0.0.8".parse().unwrap()));
    }

    #[test]
    fn other_entries_are_refused_by_name() {
        for bad in [
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0/8",
            "a b",
            "http://a.example",
            "a:80",
            "*",
            "a.*.b",
            "/8",
        ] {
            assert_eq!(AllowList::parse(["1.2.3.4", bad]), Err(AllowError(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn a_network_of_everything_lists_no_metadata() {
        let list = AllowList::parse(["0.0.0.0/0", "::/0"]).unwrap();
        assert!(list.has_address("127.0.0.1".parse().unwrap()) && list.has_address("::1".parse().unwrap()));
        for never in
            ["169.254.169.254", "::ffff:169.254.169.254", "fd00:ec2::254", "168.63.129.16", "100.100.100.200"]
        {
            assert!(!list.has_address(never.parse().unwrap()), "{never}");
        }
    }
}
