//! Classifies IP addresses as public or not. The table is our own, since a library's notion of "global" omits
//! addresses that embed another one.
//!
//! Sources: the IANA registries of IPv4 and IPv6 special-purpose addresses (RFC 6890 and those it lists, as
//! of 2026), RFC 4291 (IPv6), RFC 6052 and 8215 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 5214
//! (ISATAP), and the documentation of cloud vendors on their metadata services.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A CIDR block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

impl Network {
    /// The block of `address` with `prefix` leading bits; `None` when the prefix is longer than the address.
    #[must_use]
    pub fn new(address: IpAddr, prefix: u8) -> Option<Self> {
        let bits = if address.is_ipv4() { 32 } else { 128 };
        (prefix <= bits).then_some(Self { address, prefix })
    }

    /// The block of one address.
    #[must_use]
    pub fn single(address: IpAddr) -> Self {
        Self { address, prefix: if address.is_ipv4() { 32 } else { 128 } }
    }

    /// Whether the address is in the block. Addresses of the other family never are.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                shares_prefix(u128::from(own.to_bits()) << 96, u128::from(other.to_bits()) << 96, self.prefix)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                shares_prefix(own.to_bits(), other.to_bits(), self.prefix)
            }
            _ => false,
        }
    }
}

fn shares_prefix(a: u128, b: u128, prefix: u8) -> bool {
    let shift = 128_u32.saturating_sub(u32::from(prefix));
    a.checked_shr(shift).unwrap_or(0) == b.checked_shr(shift).unwrap_or(0)
}

/// The class of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressClass {
    /// Globally reachable.
    Public,
    /// Special or private: reached only when the allow-list names it.
    Private,
    /// A cloud metadata service, which hands out secrets: never reached.
    Metadata,
}

/// IPv4 blocks that are not public.
const V4: &[([u8; 4], u8)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    ([192, 52, 193, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([192, 175, 48, 0], 24),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Multicast, and the reserved block with the broadcast address.
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// IPv4 metadata services: link-local ones, Alibaba's, Oracle's, Azure's.
const V4_METADATA: &[([u8; 4], u8)] =
    &[([169, 254, 0, 0], 16), ([100, 100, 100, 200], 32), ([192, 0, 0, 192], 32), ([168, 63, 129, 16], 32)];

/// All of IPv6 that is allocated to global unicast.
const V6_GIVEN: ([u16; 8], u8) = ([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Blocks within it that are not public.
const V6: &[([u16; 8], u8)] = &[
    // Protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID and others.
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
    ([0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0], 48),
    // The former 6bone (RFC 3701) and documentation (RFC 9637).
    ([0x3ffe, 0, 0, 0, 0, 0, 0, 0], 16),
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
];

/// IPv6 metadata services: Amazon's and Google's.
const V6_METADATA: &[([u16; 8], u8)] =
    &[([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0], 32), ([0xfd20, 0xce, 0, 0, 0, 0, 0, 0], 32)];

/// The class of an address. An embedded IPv4 address counts too.
#[must_use]
pub fn classify_address(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(address) => classify_v4(address),
        IpAddr::V6(address) => classify_v6(address),
    }
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    let within = |table: &[([u8; 4], u8)]| {
        let block =
            |(base, prefix): &([u8; 4], u8)| Network { address: IpAddr::from(*base), prefix: *prefix };
        table.iter().any(|entry| block(entry).contains(IpAddr::V4(address)))
    };
    if within(V4_METADATA) {
        AddressClass::Metadata
    } else if within(V4) {
        AddressClass::Private
    } else {
        AddressClass::Public
    }
}

fn classify_v6(address: Ipv6Addr) -> AddressClass {
    let is_in = |(base, prefix): &([u16; 8], u8)| {
        Network { address: IpAddr::from(*base), prefix: *prefix }.contains(IpAddr::V6(address))
    };
    let carried = embedded_ipv4(address);
    let of_carried = |standing: AddressClass| carried.iter().any(|inner| classify_v4(*inner) == standing);
    if V6_METADATA.iter().any(is_in) || of_carried(AddressClass::Metadata) {
        return AddressClass::Metadata;
    }
    if !is_in(&V6_GIVEN) || V6.iter().any(is_in) || of_carried(AddressClass::Private) {
        return AddressClass::Private;
    }
    AddressClass::Public
}

/// The IPv4 addresses embedded in an IPv6 address, to which a gateway may forward it.
fn embedded_ipv4(address: Ipv6Addr) -> Vec<Ipv4Addr> {
    let bits = address.to_bits();
    let at = |end: u32| Ipv4Addr::from_bits((bits >> end) as u32);
    let segments = address.segments();
    let mut found = Vec::new();
    match segments {
        // Mapped, translated (RFC 2765), compatible; but not the unspecified address and loopback.
        [0, 0, 0, 0, 0, 0xffff, ..] | [0, 0, 0, 0, 0xffff, 0, ..] => found.push(at(0)),
        [0, 0, 0, 0, 0, 0, ..] if bits > 1 => found.push(at(0)),
        // NAT64; the local prefix may put the address in any of several places (RFC 6052, section 2.2).
        [0x64, 0xff9b, 0, 0, 0, 0, ..] => found.push(at(0)),
        [0x64, 0xff9b, 1, ..] => {
            // Bits 64 to 71 are skipped.
            let around = ((bits >> 64) as u32 & 0xffff) << 16 | ((bits >> 40) as u32 & 0xffff);
            let after = (bits >> 24) as u32;
            found.extend([at(0), Ipv4Addr::from_bits(around), Ipv4Addr::from_bits(after)]);
        }
        // Teredo: the server, and the client with every bit inverted.
        [0x2001, 0, ..] => found.extend([at(64), Ipv4Addr::from_bits(!(bits as u32))]),
        // 6to4.
        [0x2002, ..] => found.push(at(80)),
        _ => {}
    }
    // ISATAP, under any prefix.
    if matches!(segments, [_, _, _, _, 0 | 0x200, 0x5efe, ..]) {
        found.push(at(0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> AddressClass {
        classify_address(text.parse().unwrap())
    }

    #[test]
    fn public_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.215.14",
            "11.0.0.0",
            "9.255.255.255",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.15",
            "2606:4700::1111",
            "2a00:1450:4001::200e",
            "2001:4860:4860::8888",
            "2400:cb00::1",
            "2001:200::1",
        ] {
            assert_eq!(of(text), AddressClass::Public, "{text}");
        }
    }

    #[test]
    fn the_first_and_last_address_of_every_special_block_are_not_public() {
        for (base, prefix) in V4 {
            let first = u32::from_be_bytes(*base);
            let last = first | u32::MAX.checked_shr(u32::from(*prefix)).unwrap_or(0);
            for bits in [first, last] {
                let address = IpAddr::from(Ipv4Addr::from_bits(bits));
                assert_ne!(classify_address(address), AddressClass::Public, "{address}");
            }
        }
        for (base, prefix) in V6.iter().chain(V6_METADATA) {
            let first = Ipv6Addr::from(*base).to_bits();
            for bits in [first, first | (u128::MAX >> prefix)] {
                let address = IpAddr::from(Ipv6Addr::from_bits(bits));
                assert_ne!(classify_address(address), AddressClass::Public, "{address}");
            }
        }
        for text in [
            "::",
            "::1",
            "100::1",
            "100:0:0:1::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "5f00::1",
            "4000::1",
            "1fff:ffff::",
            "200::1",
            "64:ff9b::808:808",
            "::8.8.8.8",
            "::ffff:8.8.8.8",
            "::ffff:0:8.8.8.8",
        ] {
            assert_eq!(of(text), AddressClass::Private, "{text}");
        }
    }

    #[test]
    fn metadata_services_are_known_however_they_are_wrapped() {
        for text in [
            "169.254.169.254",
            "169.254.170.2",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "fd00:ec2::254",
            "fd20:ce::254",
            "::ffff:169.254.169.254",
            "::169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "2001:0:a9fe:a9fe::1",
            "2001:0:101:101:0:0:5601:5601",
            "fe80::5efe:a9fe:a9fe",
            "2a00:1::200:5efe:a9fe:a9fe",
        ] {
            assert_eq!(of(text), AddressClass::Metadata, "{text}");
        }
    }

    #[test]
    fn no_wrapping_makes_a_denied_address_public() {
        // Linear congruential generator of Numerical Recipes: the same addresses in every run.
        let mut state = 41_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 8 << 24 | state >> 8 & 0xff_ffff
        };
        let mut denied = 0;
        for _ in 0..20_000 {
            let inner = Ipv4Addr::from_bits(random());
            let bits = u128::from(inner.to_bits());
            let wrapped = [
                bits,
                bits | 0xffff << 32,
                bits | 0xffff << 48,
                bits | 0x64_ff9b << 96,
                bits | 0x64_ff9b_0001 << 80,
                bits << 80 | 0x2002 << 112,
                bits << 64 | 0x2001 << 112,
                !bits & 0xffff_ffff | 0x2001 << 112 | 0x0808_0808 << 64,
                bits | 0x5efe << 32 | 0x2a00_0001 << 96,
            ];
            let plain = classify_v4(inner);
            denied += usize::from(plain != AddressClass::Public);
            for bits in wrapped.into_iter().filter(|_| plain != AddressClass::Public) {
                let address = Ipv6Addr::from_bits(bits);
                assert_ne!(classify_v6(address), AddressClass::Public, "{inner} in {address}");
                if plain == AddressClass::Metadata {
                    assert_eq!(classify_v6(address), AddressClass::Metadata, "{inner} in {address}");
                }
            }
        }
        assert!(denied > 1_000, "{denied}");
    }

    #[test]
    fn a_network_has_its_own_addresses_alone() {
        let network = Network::new("10.1.0.0".parse().unwrap(), 16).unwrap();
        assert!(network.contains("10.1.255.255".parse().unwrap()));
        assert!(
            !network.contains("10.2.0.0".parse().unwrap())
                && !network.contains("::ffff:10.1.0.0".parse().unwrap())
        );
        let all = Network::new("0.0.0.0".parse().unwrap(), 0).unwrap();
        assert!(all.contains("255.1.2.3".parse().unwrap()) && !all.contains("::1".parse().unwrap()));
        assert_eq!(Network::new("10.0.0.0".parse().unwrap(), 33), None);
        assert!(Network::new("2a00::".parse().unwrap(), 128).is_some());
    }
}
