//! The fetch policy. It decides on the parsed URL, which is also the one that is fetched, and on every
//! address of its host.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::FetchError;
use super::addresses::{AddressClass, classify_address};
use super::allow::AllowList;
use super::host_names::{NameClass, classify_name, is_localhost};

/// Maximum bytes of a URL. RFC 9110 (section 4.1) asks for 8,000 octets at least.
pub const MAX_URL: usize = 8 << 10;

/// Default ports that are allowed. HTTP, HTTPS, and their usual alternatives.
pub const PORTS: &[u16] = &[80, 443, 8080, 8443];

/// Which ports and private targets may be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchPolicy {
    /// Allowed ports of public hosts.
    pub ports: Vec<u16>,
    /// Private targets that are allowed, on any port.
    pub allow: AllowList,
}

impl Default for FetchPolicy {
    fn default() -> Self {
        Self { ports: PORTS.to_vec(), allow: AllowList::default() }
    }
}

/// A URL that passed the checks that need no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    url: Url,
    reach: Reach,
}

/// Which addresses a host may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// Public and allow-listed ones.
    Public,
    /// Only allow-listed ones: its name is internal, or its port is not an allowed one.
    Listed,
    /// Any but metadata addresses: the allow-list names the host.
    Named,
}

impl Target {
    /// The URL to fetch, without user information and fragment.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Which addresses its host may have.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The host and port, such as `example.com:443`.
    #[must_use]
    pub fn site(&self) -> String {
        format!(
            "{}:{}",
            self.url.host_str().unwrap_or_default(),
            self.url.port_or_known_default().unwrap_or(0)
        )
    }
}

impl FetchPolicy {
    /// Checks a URL and returns it in the form in which it is fetched.
    ///
    /// # Errors
    /// [`FetchError::InvalidUrl`] for a text that is not a URL of the web, or that programs parse
    /// differently; [`FetchError::Denied`] for a URL that is not allowed.
    pub fn target(&self, text: &str) -> Result<Target, FetchError> {
        let text = text.trim();
        check_text(text)?;
        let url = Url::parse(text).map_err(url_error)?;
        self.check(url)
    }

    /// The target of a redirect from `from`, under the same rules.
    ///
    /// # Errors
    /// As [`Self::target`].
    pub fn redirect_target(&self, from: &Target, location: &str) -> Result<Target, FetchError> {
        let location = location.trim();
        if location.len() > MAX_URL {
            return Err(FetchError::Redirects("to an address that is too long"));
        }
        let url = from.url.join(location).map_err(url_error)?;
        check_text(url.as_str())?;
        self.check(url)
    }

    /// Checks whether a host may be reached under all these addresses. One denied address denies the host,
    /// since a mix of public and private addresses is a sign of an attack.
    ///
    /// # Errors
    /// [`FetchError::Denied`], which does not reveal the addresses.
    pub fn admit(&self, host: &str, reach: Reach, addresses: &[IpAddr]) -> Result<(), FetchError> {
        let host = canonical(host);
        let reach = if self.allow.has_host(&host) { Reach::Named } else { reach };
        if addresses.iter().all(|address| self.is_admitted(reach, *address)) {
            return Ok(());
        }
        Err(FetchError::Denied(NOT_PUBLIC))
    }

    /// The addresses of a name of this machine, which is not resolved; `None` for any other name.
    #[must_use]
    pub fn own_addresses(&self, host: &str) -> Option<Vec<IpAddr>> {
        let host = canonical(host);
        let own = [IpAddr::from(Ipv4Addr::LOCALHOST), IpAddr::from(Ipv6Addr::LOCALHOST)];
        let named = self.allow.has_host(&host);
        is_localhost(&host)
            .then(|| own.into_iter().filter(|address| named || self.allow.has_address(*address)).collect())
    }

    fn is_admitted(&self, reach: Reach, address: IpAddr) -> bool {
        match (classify_address(address), reach) {
            (AddressClass::Metadata, _) => false,
            (_, Reach::Named) | (AddressClass::Public, Reach::Public) => true,
            _ => self.allow.has_address(address),
        }
    }

    fn check(&self, mut url: Url) -> Result<Target, FetchError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(FetchError::Denied(SCHEMES));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Denied("it carries a user name or a password"));
        }
        url.set_fragment(None);
        let port = url.port_or_known_default().unwrap_or(0);
        let usual = self.ports.contains(&port);
        let reach = match url.host() {
            None => return Err(FetchError::InvalidUrl("it has no host")),
            Some(Host::Domain(name)) => self.reach(&canonical(name), usual)?,
            Some(Host::Ipv4(address)) => self.reach_literal(address.into(), usual)?,
            Some(Host::Ipv6(address)) => self.reach_literal(address.into(), usual)?,
        };
        Ok(Target { url, reach })
    }

    fn reach(&self, host: &str, usual_port: bool) -> Result<Reach, FetchError> {
        let standing = classify_name(host);
        if standing == NameClass::Metadata {
            return Err(FetchError::Denied(NOT_PUBLIC));
        }
        if self.allow.has_host(host) {
            return Ok(Reach::Named);
        }
        // A name of this machine without any allowed address.
        if self.own_addresses(host).is_some_and(|own| own.is_empty()) {
            return Err(FetchError::Denied(NOT_PUBLIC));
        }
        match (standing, usual_port) {
            (NameClass::Open, true) => Ok(Reach::Public),
            _ if self.allow.has_networks() => Ok(Reach::Listed),
            (NameClass::Open, false) => Err(FetchError::Denied(ODD_PORT)),
            _ => Err(FetchError::Denied(NOT_PUBLIC)),
        }
    }

    fn reach_literal(&self, address: IpAddr, usual_port: bool) -> Result<Reach, FetchError> {
        if self.allow.has_address(address) {
            return Ok(Reach::Listed);
        }
        match classify_address(address) {
            AddressClass::Public if usual_port => Ok(Reach::Public),
            AddressClass::Public => Err(FetchError::Denied(ODD_PORT)),
            _ => Err(FetchError::Denied(NOT_PUBLIC)),
        }
    }
}

const NOT_PUBLIC: &str = "its host is not a public one, and the setting fetch.allow does not name it";
const ODD_PORT: &str = "the setting fetch.ports does not list its port";
const SCHEMES: &str = "only http and https are fetched";

/// Rejects URLs by their text alone, because programs disagree on where the host ends.
fn check_text(text: &str) -> Result<(), FetchError> {
    if text.len() > MAX_URL {
        return Err(FetchError::InvalidUrl("it is too long"));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(FetchError::InvalidUrl("it has white space or control characters"));
    }
    let Some((scheme, rest)) = text.split_once(':') else {
        return Err(FetchError::InvalidUrl("it has no scheme such as https"));
    };
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        return Err(FetchError::Denied(SCHEMES));
    }
    let Some(rest) =
        rest.strip_prefix("//").filter(|rest| !rest.is_empty() && !rest.starts_with(['/', '\\']))
    else {
        return Err(FetchError::InvalidUrl("two slashes and a host must follow its scheme"));
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at(end);
    if authority.contains('\\') {
        return Err(FetchError::InvalidUrl("its host has a backslash"));
    }
    if authority.contains('@') {
        return Err(FetchError::Denied("it carries a user name or a password"));
    }
    if after.starts_with('#') && after.split('/').next().is_some_and(|part| part.contains('@')) {
        return Err(FetchError::InvalidUrl("its host is ambiguous"));
    }
    Ok(())
}

fn url_error(error: url::ParseError) -> FetchError {
    FetchError::InvalidUrl(match error {
        url::ParseError::EmptyHost => "it has no host",
        url::ParseError::InvalidPort => "its port is not a number up to 65535",
        url::ParseError::InvalidIpv4Address | url::ParseError::InvalidIpv6Address => {
            "its host is not an address"
        }
        url::ParseError::IdnaError | url::ParseError::InvalidDomainCharacter => "its host is not a name",
        _ => "it cannot be parsed",
    })
}

fn canonical(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}
