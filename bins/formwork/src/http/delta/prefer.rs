//! The `Prefer` header (RFC 7240).

use actix_web::HttpRequest;

pub(super) const HEADER: &str = "prefer";
/// The preference for an answer before the work is done.
pub(super) const RESPOND_ASYNC: &str = "respond-async";

/// Whether the client prefers an answer before the work is done.
pub(super) fn prefers_async(request: &HttpRequest) -> bool {
    let values = request.headers().get_all(HEADER).filter_map(|value| value.to_str().ok());
    values.flat_map(preferences).any(|preference| {
        let name = preference.split([';', '=']).next().unwrap_or_default();
        name.trim().eq_ignore_ascii_case(RESPOND_ASYNC)
    })
}

/// Splits the preferences of a header; commas within quotes do not separate.
fn preferences(value: &str) -> Vec<&str> {
    let (mut quoted, mut escaped) = (false, false);
    let parts = value.split(move |c: char| {
        let separates = c == ',' && !quoted;
        quoted ^= c == '"' && !escaped;
        escaped = quoted && c == '\\' && !escaped;
        separates
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_preference_is_found_among_others_and_not_within_their_values() {
        for (values, wanted) in [
            (vec!["respond-async"], true),
            (vec!["Respond-Async; foo=bar"], true),
            (vec!["return=minimal,respond-async, wait=10"], true),
            (vec!["return=minimal", "wait=5, respond-async"], true),
            (vec!["x=\"a \\\" b\", respond-async"], true),
            (vec![], false),
            (vec![""], false),
            (vec!["respond-sync"], false),
            (vec!["x=\"a, respond-async, b\""], false),
            (vec!["x=\"a \\\", respond-async"], false),
            (vec!["wait=respond-async"], false),
        ] {
            let request = values
                .iter()
                .fold(TestRequest::default(), |request, value| request.append_header((HEADER, *value)));
            assert_eq!(prefers_async(&request.to_http_request()), wanted, "{values:?}");
        }
    }
}
