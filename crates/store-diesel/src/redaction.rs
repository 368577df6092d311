//! Messages of connection errors without the credentials of the URL.

/// The first line of a connection error without quoted credentials. A password with unencoded reserved
/// characters is parsed as a host or database name and repeated in the message.
pub(crate) fn without_secrets(message: &str, url: &str) -> String {
    let credentials = url.rsplit_once('@').map_or("", |(before, _)| before);
    let secret = |quoted: &str| !quoted.is_empty() && (quoted.contains('@') || credentials.contains(quoted));
    let pieces = first_line(message);
    let pieces = pieces
        .split('"')
        .enumerate()
        .map(|(place, piece)| if place % 2 == 1 && secret(piece) { "<redacted>" } else { piece });
    pieces.collect::<Vec<_>>().join("\"")
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_error_repeats_no_part_of_a_password() {
        let url = "postgres://ada:p@s3cret@db:5432/forms";
        let message =
            "could not translate host name \"s3cret@db\" to address: Name or service not known\nmore";
        let told = without_secrets(message, url);
        assert_eq!(
            told,
            "could not translate host name \"<redacted>\" to address: Name or service not known"
        );
        let url = "postgres://ada:p/s3cret@db/forms";
        assert!(!without_secrets("invalid port \"p/s3cret\" in \"db\"", url).contains("s3cret"));
        assert_eq!(without_secrets("no database \"forms\"", url), "no database \"forms\"");
    }
}
