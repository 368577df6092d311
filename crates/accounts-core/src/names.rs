//! Rules for names, e-mail addresses and passwords.

use shared_core::Violation;

use crate::AccountsError;

/// Checks the shape of an e-mail address only: text on both sides of one `@`, and no whitespace.
pub(crate) fn parse_email(value: &str) -> Result<String, AccountsError> {
    let email = parse_display_name("email", value)?;
    let parts: Vec<&str> = email.split('@').collect();
    if matches!(parts.as_slice(), [name, host] if !name.is_empty() && !host.is_empty())
        && !email.contains(char::is_whitespace)
    {
        return Ok(email);
    }
    Err(AccountsError::Invalid(Violation::new("/email", "'email' must be an e-mail address")))
}

/// A display name: 1 to 255 characters without control characters.
pub(crate) fn parse_display_name(field: &str, value: &str) -> Result<String, AccountsError> {
    let count = value.chars().count();
    if (1..=255).contains(&count) && !value.chars().any(char::is_control) {
        return Ok(value.to_owned());
    }
    let message = format!("'{field}' must have 1 to 255 characters and no control characters");
    Err(AccountsError::Invalid(Violation::new(format!("/{field}"), message)))
}
