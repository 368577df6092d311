//! The only client of the scripted provider.

/// The id of the only client.
pub const CLIENT_ID: &str = "formwork-tests";
/// Its secret. Some of its characters are encoded in forms and headers.
pub const CLIENT_SECRET: &str = "s3cret of the client: +&=%";
