//! Ids of tool calls. Google's models want a signature back with their calls, and clients give back nothing but the id.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Stands before the signature. No vendor's ids have it.
const SIGNATURE: &str = ".signature.";

/// An id for a call without one.
pub(crate) fn new_id() -> String {
    // The standard library gives every such state keys of its own. Ids are no secrets.
    format!("call_{:016x}", RandomState::new().build_hasher().finish())
}

/// An id with the signature of its call.
pub(crate) fn signed_id(signature: &str) -> String {
    format!("{}{SIGNATURE}{signature}", new_id())
}

/// The signature in an id.
pub(crate) fn signature(id: &str) -> Option<&str> {
    id.split_once(SIGNATURE).map(|(_, signature)| signature)
}

/// The id for other vendors.
pub(crate) fn without_signature(id: &str) -> &str {
    id.split_once(SIGNATURE).map_or(id, |(id, _)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_goes_through_the_id_of_its_call() {
        let id = signed_id("c2ln/+=");
        assert_eq!(signature(&id), Some("c2ln/+="));
        assert!(id.starts_with(without_signature(&id)) && without_signature(&id).len() == 21, "{id}");
        assert_ne!(new_id(), new_id());
        // Some open models name the function in the id.
        assert_eq!(
            (signature("functions.count:0"), without_signature("functions.count:0")),
            (None, "functions.count:0")
        );
    }
}
