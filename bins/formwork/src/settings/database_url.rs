//! Database URLs without their passwords.

/// Serialises a database URL without its password.
pub(super) fn redact_password<S: serde::Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&without_password(url))
}

/// Parameters of a database URL that are not secret.
const OPEN_PARAMETERS: [&str; 8] =
    ["application_name", "connect_timeout", "dbname", "host", "port", "sslmode", "sslrootcert", "user"];

/// Removes too much rather than too little: a password may contain characters that should have been encoded.
pub(super) fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| *scheme != "sqlite") else {
        return url.to_owned();
    };
    let (user, rest) = match rest.rsplit_once('@') {
        Some((user, rest)) => match user.split_once(':') {
            Some((name, _)) => (format!("{name}:<redacted>@"), rest),
            None => (format!("{user}@"), rest),
        },
        None => (String::new(), rest),
    };
    let Some((place, parameters)) = rest.split_once('?') else { return format!("{scheme}://{user}{rest}") };
    let open =
        |parameter: &&str| parameter.split_once('=').is_some_and(|(name, _)| OPEN_PARAMETERS.contains(&name));
    let shown: Vec<&str> = parameters.split('&').map(|p| if open(&p) { p } else { "<redacted>" }).collect();
    format!("{scheme}://{user}{place}?{}", shown.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_password_and_unknown_parameters_are_redacted() {
        let url = without_password("postgres://ada:s3cret@db:5432/x?sslmode=require&password=s3cret");
        assert_eq!(url, "postgres://ada:<redacted>@db:5432/x?sslmode=require&<redacted>");
        assert_eq!(without_password("sqlite:///a@b/c.db"), "sqlite:///a@b/c.db");
    }
}
