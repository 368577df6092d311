//! A browser without scripts: cookies, redirects, and forms that are filled.

use anyhow::{Context as _, bail};
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, Response, Url};

/// Pages and redirects of one sign-in at most.
const MAX_STEPS: usize = 20;

/// A browser with its cookies.
#[derive(Debug)]
pub(super) struct Browser {
    client: Client,
    cookies: Vec<Cookie>,
}

#[derive(Debug)]
struct Cookie {
    name: String,
    value: String,
    host: String,
    path: String,
}

/// What a user does on a page with a form.
#[derive(Clone, Copy, Debug)]
pub(super) enum UserAction<'a> {
    /// Enters a name and a password, and agrees.
    SignIn(&'a str),
    /// Follows the link that cancels.
    Cancel,
}

impl Browser {
    pub(super) fn new(client: Client) -> Self {
        Self { client, cookies: Vec::new() }
    }

    /// Opens a URL and does what the pages ask for, until a redirect leads to a URL that begins with `end`. Returns it.
    pub(super) async fn walk(
        &mut self,
        start: &str,
        end: &str,
        action: UserAction<'_>,
    ) -> anyhow::Result<Url> {
        let mut url = Url::parse(start)?;
        let mut form = None;
        for _ in 0..MAX_STEPS {
            let answer = self.open(&url, form.take()).await?;
            if answer.status().is_redirection() {
                let location = answer.headers().get(LOCATION).context("a redirect without its place")?;
                url = url.join(location.to_str()?)?;
                if url.as_str().starts_with(end) {
                    return Ok(url);
                }
                continue;
            }
            let status = answer.status();
            let page = String::from_utf8(answer.bytes().await?.to_vec())?;
            if !status.is_success() {
                bail!("{url} answered with {status}: {page:.400}");
            }
            match action {
                UserAction::SignIn(name) => {
                    url = url.join(attribute(&page, "<form", "action").context("a page without a form")?)?;
                    form = Some(filled(&page, name));
                }
                UserAction::Cancel => {
                    let link = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
                    let link = link.into_iter().find(|link| link.ends_with("/abort"));
                    url = url.join(link.context("a page without a link that cancels")?)?;
                }
            }
        }
        bail!("the sign-in does not end")
    }

    /// Opens a URL, or sends a form to it.
    pub(super) async fn open(&mut self, url: &Url, form: Option<String>) -> anyhow::Result<Response> {
        let host =
            url.host_str().unwrap_or_default().to_owned() + &url.port().unwrap_or_default().to_string();
        let fits = |cookie: &&Cookie| cookie.host == host && url.path().starts_with(&cookie.path);
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .filter(fits)
            .map(|cookie| format!("{}={}", cookie.name, cookie.value))
            .collect();
        let request = match form {
            Some(form) => self
                .client
                .post(url.clone())
                .header("content-type", "application/x-www-form-urlencoded")
                .body(form),
            None => self.client.get(url.clone()),
        };
        let answer = request.header(COOKIE, cookies.join("; ")).send().await?;
        for set in answer.headers().get_all(SET_COOKIE) {
            let mut parts = set.to_str()?.split(';').map(str::trim);
            let (name, value) = parts.next().and_then(|pair| pair.split_once('=')).context("a cookie")?;
            let path = parts.find_map(|part| part.strip_prefix("path=").or(part.strip_prefix("Path=")));
            let path = path.unwrap_or("/").to_owned();
            self.cookies.retain(|own| own.name != name || own.path != path || own.host != host);
            if !value.is_empty() {
                self.cookies.push(Cookie {
                    name: name.into(),
                    value: value.into(),
                    host: host.clone(),
                    path,
                });
            }
        }
        Ok(answer)
    }
}

/// The fields of a page's form: hidden ones as they are, and a login.
fn filled(page: &str, name: &str) -> String {
    let fields = page.split("<input ").skip(1).filter_map(|rest| {
        let field = rest.split('>').next()?;
        let value = match attribute(field, "", "type")? {
            "hidden" => attribute(field, "", "value").unwrap_or_default(),
            "password" => "any password",
            _ => name,
        };
        Some(format!("{}={value}", attribute(field, "", "name")?))
    });
    fields.collect::<Vec<_>>().join("&").replace(' ', "+")
}

/// The value of an attribute after a text.
fn attribute<'a>(page: &'a str, after: &str, name: &str) -> Option<&'a str> {
    let rest = page.split_once(after)?.1;
    rest.split_once(&format!("{name}=\""))?.1.split('"').next()
}
