//! Cookies that tie a browser to a sign-in: the one under way at an identity provider, and the session of the console.

use accounts_core::SIGN_IN_SECONDS;
use accounts_core::oidc::ATTEMPT_SECONDS;
use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

/// A cookie of a server, for its host alone and for no script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BrowserCookie {
    name: &'static str,
    same_site: &'static str,
    seconds: i64,
    is_secure: bool,
}

impl BrowserCookie {
    /// The cookie of a sign-in at an identity provider. The provider's redirect is a navigation from another site, for
    /// which browsers send cookies that are `Lax`, and not those that are `Strict`.
    pub(crate) fn attempt(public_url: &str) -> Self {
        Self::named(public_url, ["formwork_sign_in", "__Host-formwork_sign_in"], "Lax", ATTEMPT_SECONDS)
    }

    /// The cookie that says that a sign-in at an identity provider began in the console.
    pub(crate) fn console_attempt(public_url: &str) -> Self {
        Self::named(public_url, ["formwork_console", "__Host-formwork_console"], "Lax", ATTEMPT_SECONDS)
    }

    /// The cookie of a session of the console. Its value is the token of the sign-in.
    pub(crate) fn session(public_url: &str) -> Self {
        Self::named(public_url, ["formwork_session", "__Host-formwork_session"], "Strict", SIGN_IN_SECONDS)
    }

    /// Over TLS browsers take a cookie of the prefix `__Host-` only from this very host, not from another one of its
    /// domain.
    fn named(
        public_url: &str,
        [plain, secure]: [&'static str; 2],
        same_site: &'static str,
        seconds: i64,
    ) -> Self {
        let is_secure = public_url.starts_with("https://");
        Self { name: if is_secure { secure } else { plain }, same_site, seconds, is_secure }
    }

    /// The header that sets it.
    pub(crate) fn set(self, value: &SecretString) -> HeaderValue {
        self.header(value.expose_secret(), self.seconds)
    }

    /// The header that removes it.
    pub(crate) fn unset(self) -> HeaderValue {
        self.header("", 0)
    }

    fn header(self, value: &str, seconds: i64) -> HeaderValue {
        let Self { name, same_site, is_secure, .. } = self;
        let secure = if is_secure { "; Secure" } else { "" };
        let text =
            format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
        // The text of an attempt or a token has no characters that a header cannot have.
        let mut header = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        header.set_sensitive(true);
        header
    }

    /// Its value in a request.
    pub(crate) fn find(self, request: &HttpRequest) -> Option<&str> {
        let headers = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs =
            headers.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_cookie_is_for_this_host_and_no_script() {
        let value = SecretString::from("1600.abc.");
        let secure = BrowserCookie::attempt("https://forms.example.com");
        assert_eq!(
            secure.set(&value),
            "__Host-formwork_sign_in=1600.abc.; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"
        );
        let plain = BrowserCookie::attempt("http://127.0.0.1:8080");
        assert_eq!(
            plain.set(&value),
            "formwork_sign_in=1600.abc.; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"
        );
        assert_eq!(plain.unset(), "formwork_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        let session = BrowserCookie::session("https://forms.example.com");
        assert_eq!(
            session.set(&SecretString::from("fw_a-b_c")),
            "__Host-formwork_session=fw_a-b_c; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let cookie = BrowserCookie::attempt("http://127.0.0.1:8080");
        let found = |headers: &[&[u8]]| {
            let mut request = TestRequest::default();
            for value in headers {
                request = request.append_header((header::COOKIE, HeaderValue::from_bytes(value).unwrap()));
            }
            cookie.find(&request.to_http_request()).map(str::to_owned)
        };
        assert_eq!(found(&[b"a=b; formwork_sign_in=x.y; c=d"]).as_deref(), Some("x.y"));
        assert_eq!(found(&[b"a=b", b" formwork_sign_in=x=y"]).as_deref(), Some("x=y"));
        assert_eq!(found(&[b"formwork_sign_in2=x; __Host-formwork_sign_in=y"]), None);
        assert_eq!(found(&[b"\xff; formwork_sign_in=x"]), None);
        assert_eq!(found(&[]), None);
    }
}
