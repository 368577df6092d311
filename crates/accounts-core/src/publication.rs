//! Public keys: they stand in web pages, where anyone can read them.

use shared_core::Violation;

/// Maximum number of origins of a public key.
pub const MAX_ORIGINS: usize = 20;
/// Maximum length of an origin in characters: a host name has 253 at most.
pub const MAX_ORIGIN: usize = 300;
/// Maximum length of the name of a hosted page: that of a label of a host name (RFC 1035).
pub const MAX_PAGE: usize = 63;
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
    /// Checks the rules of its parts.
    pub(crate) fn check(&self) -> Result<(), Violation> {
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
}
