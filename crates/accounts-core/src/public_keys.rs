//! What public keys may be beside public.

use shared_core::Violation;

use crate::{KeyLimits, KeyScope, NewKey, Publication};

/// Requests per minute of a public key without such a limit: some tens of visitors at the same time.
const REQUESTS_PER_MINUTE: u32 = 300;

/// Checks the publication of a new key, and limits its requests.
pub(crate) fn checked(new: NewKey) -> Result<NewKey, Violation> {
    let Some(publication) = &new.publication else { return Ok(new) };
    check(publication, new.scope, new.bases.is_some())?;
    let requests_per_minute = new.limits.requests_per_minute.or(Some(REQUESTS_PER_MINUTE));
    Ok(NewKey { limits: KeyLimits { requests_per_minute, ..new.limits }, ..new })
}

/// Checks a publication with what else a key may do.
pub(crate) fn check(publication: &Publication, scope: KeyScope, has_bases: bool) -> Result<(), Violation> {
    if scope != KeyScope::Write {
        return Err(Violation::new("/scope", "a public key has the scope 'write'"));
    }
    if has_bases {
        return Err(Violation::new("/bases", "a public key uses the knowledge bases of its agent"));
    }
    publication.check()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_key_writes_and_has_no_restriction_of_another_kind() {
        let origins = vec!["https://shop.example".to_owned()];
        let public = Publication { agent: "shop".into(), origins, page: None };
        assert_eq!(check(&public, KeyScope::Write, false), Ok(()));
        for scope in [KeyScope::Read, KeyScope::Admin] {
            assert_eq!(check(&public, scope, false).unwrap_err().path, "/scope");
        }
        assert_eq!(check(&public, KeyScope::Write, true).unwrap_err().path, "/bases");
    }
}
