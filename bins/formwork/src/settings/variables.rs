//! Names of the environment variables of settings.

/// Settings that only the file can have: tables and lists.
pub(super) const IN_THE_FILE: &[&str] = &["feeds", "headers", "own", "prices"];

/// The documented environment variable of a setting: the usual one of a vendor, a short one for common
/// settings, and else the nested one. `None` for settings that only the file can have.
pub(super) fn documented_variable(key: &str) -> Option<String> {
    let vendor = key.strip_prefix("models.").and_then(|rest| rest.split_once('.'));
    let search = key.strip_prefix("search.").and_then(|rest| rest.split_once('.'));
    Some(match vendor.or(search) {
        Some(("searxng", "base_url")) => "FORMWORK_SEARXNG_URL".to_owned(),
        Some((vendor, "base_url")) => format!("FORMWORK_{}_BASE_URL", vendor.to_uppercase()),
        Some(("google", "key")) => "GEMINI_API_KEY".to_owned(),
        Some((vendor, "key")) => format!("{}_API_KEY", vendor.to_uppercase()),
        _ if key == "s3.endpoint" => "AWS_ENDPOINT_URL".to_owned(),
        _ if ["s3.region", "s3.access_key_id", "s3.secret_access_key", "s3.session_token"].contains(&key) => {
            key.to_uppercase().replace("S3.", "AWS_")
        }
        _ if key == "fetch.allow" => "FORMWORK_FETCH_ALLOW".to_owned(),
        _ if IN_THE_FILE.contains(&key.rsplit('.').next().unwrap_or(key)) => return None,
        _ => nested_variable(key),
    })
}

/// `FORMWORK_` and the setting's name, with `__` for each dot.
pub(super) fn nested_variable(key: &str) -> String {
    format!("FORMWORK_{}", key.to_uppercase().replace('.', "__"))
}
