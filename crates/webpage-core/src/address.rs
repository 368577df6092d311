//! URLs of a page and of its links.

use html::Tree;
use url::Url;

use crate::LinkKind;

/// Maximum bytes of a URL. Protects memory.
const LONGEST: usize = 2_048;

/// The URL of a page, and the base of its relative URLs.
#[derive(Debug)]
pub(crate) struct Addresses {
    page: Option<Url>,
    base: Option<Url>,
}

impl Addresses {
    /// Parses the page's own URL and its `<base>`.
    pub(crate) fn new(tree: &Tree<'_>, url: &str) -> Self {
        let page = Url::parse(url).ok().filter(is_web);
        let base = (0..tree.node_count())
            .filter(|id| tree.name(*id) == "base")
            .find_map(|id| tree.attribute(id, "href"));
        let base = base.filter(|href| href.len() <= LONGEST).and_then(|href| {
            page.as_ref()
                .map_or_else(|| Url::parse(href.trim()), |page| page.join(href.trim()))
                .ok()
                .filter(is_web)
        });
        Self { base: base.or_else(|| page.clone()), page }
    }

    /// The absolute URL without credentials; `None` when it is not http or https.
    pub(crate) fn absolute(&self, reference: &str) -> Option<Url> {
        let reference = reference.trim();
        if reference.is_empty() || reference.len() > LONGEST {
            return None;
        }
        let mut url = match &self.base {
            Some(base) => base.join(reference),
            None => Url::parse(reference),
        }
        .ok()
        .filter(is_web)?;
        // Neither call fails for a URL with a host.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        Some(url)
    }

    /// Whether a URL is the page itself, with any fragment.
    pub(crate) fn is_own(&self, url: &Url) -> bool {
        let Some(page) = &self.page else { return false };
        without_fragment(page.clone()) == without_fragment(url.clone())
    }

    /// Whether a URL is on the page's site, with or without `www`.
    pub(crate) fn is_same_site(&self, url: &Url) -> bool {
        let host = |url: &Url| url.host_str().map(|host| host.trim_start_matches("www.").to_owned());
        self.page.as_ref().is_some_and(|page| host(page) == host(url))
    }

    pub(crate) fn page(&self) -> Option<&Url> {
        self.page.as_ref()
    }
}

pub(crate) fn without_fragment(mut url: Url) -> Url {
    url.set_fragment(None);
    url
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())
}

/// What a URL points to, as far as the URL shows.
pub(crate) fn kind(url: &Url) -> LinkKind {
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.").trim_start_matches("m.");
    match of_file(url.path()) {
        Some(kind) => kind,
        None if matches!(host, "youtube.com" | "vimeo.com") && url.path().len() > 1 || host == "youtu.be" => {
            LinkKind::Video
        }
        None => LinkKind::Web,
    }
}

/// The kind of a file, by the extension of its name.
pub(crate) fn of_file(path: &str) -> Option<LinkKind> {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    Some(match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "pdf" | "doc" | "docx" | "ppt" | "pptx" | "xls" | "xlsx" | "xlsb" | "odt" | "ods" | "odp" | "rtf"
        | "epub" | "csv" | "tsv" | "eml" | "msg" | "txt" | "md" => LinkKind::Document,
        "png" | "jpg" | "jpeg" | "gif" | "webp" | "svg" | "avif" | "bmp" | "tif" | "tiff" | "ico" => {
            LinkKind::Image
        }
        "mp4" | "webm" | "mov" | "avi" | "mkv" | "m4v" | "ogv" => LinkKind::Video,
        "mp3" | "ogg" | "oga" | "wav" | "flac" | "m4a" | "aac" => LinkKind::Audio,
        "zip" | "gz" | "tgz" | "tar" | "bz2" | "xz" | "7z" | "rar" | "zst" => LinkKind::Archive,
        _ => return None,
    })
}
