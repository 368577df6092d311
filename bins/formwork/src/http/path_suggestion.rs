//! The operation that a request to an unknown path most likely meant.

use std::sync::LazyLock;

use gen_core::suggestions::likely;

use super::description;

/// Most bytes of a path that is compared. Bounds the time, which is quadratic; no operation's path is longer.
const MAX_PATH: usize = 200;

/// The paths of all described operations, parameters in braces.
static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let (operations, _) = description();
    let both = operations.into_iter().flat_map(|operation| {
        let versioned = operation.under_v1.then(|| format!("/v1{}", operation.path));
        std::iter::once(operation.path.to_owned()).chain(versioned)
    });
    let mut paths: Vec<String> = both.collect();
    paths.sort();
    paths.dedup();
    paths
});

/// The path of an operation that differs from this one by a slip, a missing `/v1` or a trailing slash.
pub(super) fn nearest_path(path: &str) -> Option<&'static str> {
    if path.len() > MAX_PATH {
        return None;
    }
    let asked = path.trim_end_matches('/');
    let of = |asked: &str| {
        let candidates: Vec<(String, &'static str)> =
            PATHS.iter().filter_map(|shape| Some((filled(shape, asked)?, shape.as_str()))).collect();
        let meant = likely(asked, candidates.iter().map(|(path, _)| path.as_str()))?.to_owned();
        candidates.into_iter().find(|(path, _)| *path == meant).map(|(_, shape)| shape)
    };
    of(asked).or_else(|| of(&format!("/v1{asked}")))
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
            assert_eq!(nearest_path(path), meant, "{path}");
        }
        assert_eq!(nearest_path(&"/form".repeat(1_000)), None);
    }
}
