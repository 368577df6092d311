//! The cookie that binds a sign-in at an identity provider to the browser that began it.

use accounts_core::oidc::ATTEMPT_SECONDS;
use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderValue};
use secrecy::{ExposeSecret as _, SecretString};

/// Over TLS browsers take a cookie of this prefix only from this very host, not from another one of its domain.
const SECURE: &str = "__Host-formwork_sign_in";
const PLAIN: &str = "formwork_sign_in";

/// The cookie of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignInCookie {
    is_secure: bool,
}

impl SignInCookie {
    /// The cookie of the server at this URL.
    pub(crate) fn of(public_url: &str) -> Self {
        Self { is_secure: public_url.starts_with("https://") }
    }

    fn name(self) -> &'static str {
        if self.is_secure { SECURE } else { PLAIN }
    }

    /// The header that sets it. The provider's redirect is a navigation from another site, for which browsers send cookies
    /// that are `Lax`, and not those that are `Strict`.
    pub(crate) fn set(self, value: &SecretString) -> HeaderValue {
        self.header(value.expose_secret(), ATTEMPT_SECONDS)
    }

    /// The header that removes it.
    pub(crate) fn unset(self) -> HeaderValue {
        self.header("", 0)
    }

    fn header(self, value: &str, seconds: i64) -> HeaderValue {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let text =
            format!("{}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}", self.name());
        // The text of an attempt has no characters that a header cannot have.
        let mut header = HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""));
        header.set_sensitive(true);
        header
    }

    /// Its value in a request.
    pub(crate) fn find(self, request: &HttpRequest) -> Option<&str> {
        let headers = request.headers().get_all(header::COOKIE).filter_map(|value| value.to_str().ok());
        let mut pairs =
            headers.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name()).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_cookie_is_for_this_host_and_no_script() {
        let value = SecretString::from("1600.abc.");
        let secure = SignInCookie::of("https://forms.example.com");
        assert_eq!(
            secure.set(&value),
            "__Host-formwork_sign_in=1600.abc.; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure"
        );
        let plain = SignInCookie::of("http://127.0.0.1:8080");
        assert_eq!(
            plain.set(&value),
            "formwork_sign_in=1600.abc.; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"
        );
        assert_eq!(plain.unset(), "formwork_sign_in=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let cookie = SignInCookie::of("http://127.0.0.1:8080");
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
