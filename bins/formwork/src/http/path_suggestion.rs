//! The operation that a request to an unknown path most likely meant.

use gen_core::suggestions::likely;

/// Most bytes of a path that is compared. Bounds the time, which is quadratic; no operation's path is longer.
const MAX_PATH: usize = 200;

/// The path of an operation, parameters in braces, that differs from this one by a slip, a missing `/v1` or a trailing
/// slash.
pub(super) fn nearest_path<'a>(path: &str, shapes: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    if path.len() > MAX_PATH {
        return None;
    }
    let asked = path.trim_end_matches('/');
    nearest_shape(asked, shapes.clone()).or_else(|| nearest_shape(&format!("/v1{asked}"), shapes))
}

fn nearest_shape<'a>(asked: &str, shapes: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<(String, &str)> =
        shapes.filter_map(|shape| Some((filled(shape, asked)?, shape))).collect();
    let meant = likely(asked, candidates.iter().map(|(path, _)| path.as_str()))?;
    candidates.iter().find(|(path, _)| path == meant).map(|(_, shape)| *shape)
}

/// The shape with the parameters of the path; `None` where the path has another number of segments.
fn filled(shape: &str, path: &str) -> Option<String> {
    let (shape, path): (Vec<&str>, Vec<&str>) = (shape.split('/').collect(), path.split('/').collect());
    let segments = shape.iter().zip(&path).map(|(own, given)| if own.starts_with('{') { given } else { own });
    (shape.len() == path.len()).then(|| segments.copied().collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_a_path_is_told_and_another_path_is_not() {
        let shapes = [
            "/v1/form",
            "/v1/notes",
            "/v1/agent/{namespace}/chat",
            "/v1/agent/{namespace}/workflow/delta/runs/{sid}/responses",
        ];
        for (path, meant) in [
            ("/v1/forms", Some("/v1/form")),
            ("/v1/form/", Some("/v1/form")),
            ("/v1/agnet/invoices/chat", Some("/v1/agent/{namespace}/chat")),
            ("/notes", Some("/v1/notes")),
            (
                "/v1/agent/a/workflow/delta/runs/12/response",
                Some("/v1/agent/{namespace}/workflow/delta/runs/{sid}/responses"),
            ),
            ("/wp-login.php", None),
            ("//", None),
        ] {
            assert_eq!(nearest_path(path, shapes.into_iter()), meant, "{path}");
        }
        assert_eq!(nearest_path(&"/form".repeat(1_000), shapes.into_iter()), None);
    }
}
