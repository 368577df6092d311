//! The browser's own page about a page that could not be loaded.
//!
//! Some versions (148 among them) exit with success and write this page in place of the one that was asked for;
//! others (156) write nothing. Its form comes from `components/neterror` of Chromium: the class of its body and the
//! data of its script.

/// Body of the error page.
const BODY: &str = "<body class=\"neterror\"";
/// Key of the error code in the data of the page's script.
const CODE: &str = "\"errorCode\":\"";
/// Maximum length of an error code.
const MAX_CODE: usize = 64;

/// The error code, such as `ERR_CONNECTION_REFUSED`, when `html` is the browser's error page.
pub(crate) fn code(html: &[u8]) -> Option<String> {
    let html = String::from_utf8_lossy(html);
    let (_, page) = html.split_once(BODY)?;
    let (_, code) = page.split_once(CODE)?;
    Some(
        code.chars()
            .take(MAX_CODE)
            .take_while(|&letter| letter.is_ascii_alphanumeric() || letter == '_')
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn the_error_page_is_told_from_pages_that_write_about_it() {
        let page = "<!DOCTYPE html><html><body class=\"neterror\" style=\"font-size: 75%\"><script>var \
                    loadTimeDataRaw = {\"details\":\"Details\",\"errorCode\":\"ERR_UNSAFE_PORT\"};</script>";
        assert_eq!(code(page.as_bytes()).as_deref(), Some("ERR_UNSAFE_PORT"));
        let about = page.replace("<body class=\"neterror\"", "<body><p>class=\"neterror\"");
        assert_eq!(code(about.as_bytes()), None);
        assert_eq!(code(b"<body class=\"neterror\">"), None);
        assert_eq!(code(b""), None);
    }
}
