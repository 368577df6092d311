//! Public keys: they stand in web pages, where anyone can read them.

use shared_core::Violation;

use crate::{KeyLimits, KeyScope, NewKey};

/// Maximum number of origins of a public key.
pub const MAX_ORIGINS: usize = 20;
/// Maximum length of an origin in characters: a host name has 253 at most.
pub const MAX_ORIGIN: usize = 300;
/// Maximum length of the name of a hosted page: that of a label of a host name (RFC 1035).
pub const MAX_PAGE: usize = 63;
/// Requests per minute of a public key without such a limit: some tens of visitors at the same time.
const REQUESTS_PER_MINUTE: u32 = 300;

/// What makes a key public. Such a key holds conversations with one agent, and does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Namespace of the agent.
    pub agent: String,
    /// Origins of the web pages that may use it, such as `https://shop.example`.
    pub origins: Vec<String>,
    /// Name of the page of this server that uses it; `None` for no such page. Unique over all workspaces.
    pub page: Option<String>,
}

impl Publication {
    fn check(&self) -> Result<(), Violation> {
        let told = |path: &str, rule: String| Err(Violation::new(path, rule));
        if self.origins.is_empty() && self.page.is_none() {
            return told(
                "/origins",
                "a public key needs 'origins' or a 'page', or no page could use it".into(),
            );
        }
        if self.origins.len() > MAX_ORIGINS {
            return told("/origins", format!("'origins' must have at most {MAX_ORIGINS} entries"));
        }
        if let Some(long) = self.origins.iter().position(|origin| origin.len() > MAX_ORIGIN) {
            return told(
                &format!("/origins/{long}"),
                format!("an origin must have at most {MAX_ORIGIN} characters"),
            );
        }
        match &self.page {
            Some(page) if !is_page_name(page) => told(
                "/page",
                format!(
                    "'page' must have 3 to {MAX_PAGE} lower-case letters, digits and hyphens between them"
                ),
            ),
            _ => Ok(()),
        }
    }
}

/// Whether a text can be the last segment of the URL of a page.
fn is_page_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (3..=MAX_PAGE).contains(&text.len())
        && text.bytes().all(is_plain)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Checks the publication of a new key, and limits its requests.
pub(crate) fn checked(new: NewKey) -> Result<NewKey, Violation> {
    let Some(publication) = &new.publication else { return Ok(new) };
    check(publication, new.scope, new.bases.is_some())?;
    let requests_per_minute = new.limits.requests_per_minute.or(Some(REQUESTS_PER_MINUTE));
    Ok(NewKey { limits: KeyLimits { requests_per_minute, ..new.limits }, ..new })
}

/// Checks a publication with what else a key may do.
pub(crate) fn check(publication: &Publication, scope: KeyScope, has_bases: bool) -> Result<(), Violation> {
    if scope != KeyScope::Write {
        return Err(Violation::new("/scope", "a public key has the scope 'write'"));
    }
    if has_bases {
        return Err(Violation::new("/bases", "a public key uses the knowledge bases of its agent"));
    }
    publication.check()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn publication(origins: &[&str], page: Option<&str>) -> Publication {
        let origins = origins.iter().map(|origin| (*origin).to_owned()).collect();
        Publication { agent: "shop".into(), origins, page: page.map(Into::into) }
    }

    #[test]
    fn a_publication_names_who_may_use_the_key() {
        for (origins, page) in
            [(vec!["https://shop.example"], None), (vec![], Some("abc")), (vec!["http://a"], Some("a-1"))]
        {
            assert_eq!(publication(&origins, page).check(), Ok(()));
        }
        let many = vec!["https://a.example"; MAX_ORIGINS + 1];
        let long = format!("https://{}", "a".repeat(MAX_ORIGIN));
        let past = "a".repeat(MAX_PAGE + 1);
        for (origins, page, path) in [
            (vec![], None, "/origins"),
            (many, None, "/origins"),
            (vec!["http://a", long.as_str()], None, "/origins/1"),
            (vec![], Some("ab"), "/page"),
            (vec![], Some("-ab"), "/page"),
            (vec![], Some("ab-"), "/page"),
            (vec![], Some("Abc"), "/page"),
            (vec![], Some("a/b"), "/page"),
            (vec![], Some("\u{e4}bc"), "/page"),
            (vec![], Some(past.as_str()), "/page"),
        ] {
            assert_eq!(publication(&origins, page).check().unwrap_err().path, path, "{page:?}");
        }
    }

    #[test]
    fn a_public_key_writes_and_has_no_restriction_of_another_kind() {
        let public = publication(&["https://shop.example"], None);
        assert_eq!(check(&public, KeyScope::Write, false), Ok(()));
        for scope in [KeyScope::Read, KeyScope::Admin] {
            assert_eq!(check(&public, scope, false).unwrap_err().path, "/scope");
        }
        assert_eq!(check(&public, KeyScope::Write, true).unwrap_err().path, "/bases");
    }
}
