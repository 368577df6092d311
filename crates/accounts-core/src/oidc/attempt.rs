//! An attempt to sign in, between the way to the provider and the way back.
//!
//! The server remembers nothing of an attempt. The browser has its text in a cookie; state, nonce and verifier are
//! hashes of it. So a callback fits only the browser that began, and whoever changes the text, such as its expiry, gets
//! other hashes than those that the provider has put into the code and the ID token.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest as _, Sha256};
use shared_core::{Rng, Timestamp, WorkspaceId};
use subtle::ConstantTimeEq as _;

/// Seconds in which a person must have signed in at the provider. Chosen by hand: enough for a second factor.
pub const ATTEMPT_SECONDS: i64 = 600;
/// Characters of the random part: 32 bytes in URL-safe Base64.
const RANDOM: usize = 43;
/// Maximum length of a workspace's id. Ids of this server have 35 characters.
const MAX_WORKSPACE: usize = 64;

/// What a sign-in needs to know again at its callback, as the text of a cookie.
#[derive(Debug)]
pub(super) struct Attempt {
    text: SecretString,
    /// Seconds since 1970.
    expires: i64,
    workspace: Option<WorkspaceId>,
}

impl Attempt {
    /// Begins an attempt, for a workspace if one is named. `None` when the workspace's id is not shaped like one.
    pub(super) fn new(now: Timestamp, workspace: Option<&WorkspaceId>, ids: &dyn Rng) -> Option<Self> {
        let mut random = [0_u8; 32];
        ids.fill(&mut random);
        let expires = seconds(now) + ATTEMPT_SECONDS;
        let workspace = workspace.map_or("", |workspace| workspace.0.as_str());
        Self::parse(&format!("{expires}.{}.{workspace}", URL_SAFE_NO_PAD.encode(random)), now)
    }

    /// Reads the text of an attempt. `None` when it is malformed, its time is over, or it has more time than attempts have.
    pub(super) fn parse(text: &str, now: Timestamp) -> Option<Self> {
        let (expires, rest) = text.split_once('.')?;
        let (random, workspace) = rest.split_once('.')?;
        let is_plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let shaped = random.len() == RANDOM && workspace.len() <= MAX_WORKSPACE;
        let expires: i64 = expires.parse().ok()?;
        let now = seconds(now);
        if !shaped || !is_plain(random) || !is_plain(workspace) {
            return None;
        }
        if !(now + 1..=now + ATTEMPT_SECONDS).contains(&expires) {
            return None;
        }
        let workspace = (!workspace.is_empty()).then(|| WorkspaceId(workspace.to_owned()));
        Some(Self { text: SecretString::from(text), expires, workspace })
    }

    /// What the browser keeps.
    pub(super) fn text(&self) -> &SecretString {
        &self.text
    }

    /// When its time is over.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        Timestamp::from_micros(self.expires.checked_mul(1_000_000)?)
    }

    /// The only workspace that is signed in to.
    pub(super) fn workspace(&self) -> Option<&WorkspaceId> {
        self.workspace.as_ref()
    }

    /// The parameter `state`. It names the attempt without showing its text.
    pub(super) fn state(&self) -> String {
        self.hash("state")
    }

    /// Whether this is the attempt's state.
    pub(super) fn has_state(&self, state: &str) -> bool {
        self.state().as_bytes().ct_eq(state.as_bytes()).into()
    }

    /// The parameter `nonce`.
    pub(super) fn nonce(&self) -> String {
        self.hash("nonce")
    }

    /// The verifier of PKCE: 43 characters, the fewest that RFC 7636 permits, of 256 bits.
    pub(super) fn verifier(&self) -> SecretString {
        SecretString::from(self.hash("verifier"))
    }

    /// The challenge of PKCE for the verifier, by its method `S256`.
    pub(super) fn code_challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier().expose_secret().as_bytes()))
    }

    fn hash(&self, purpose: &str) -> String {
        let text = self.text.expose_secret();
        URL_SAFE_NO_PAD.encode(Sha256::digest(format!("formwork sign-in {purpose}\n{text}")))
    }
}

fn seconds(time: Timestamp) -> i64 {
    time.micros().div_euclid(1_000_000)
}

#[cfg(test)]
mod tests {
    use shared_core::SeededRng;

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn attempt(workspace: Option<&str>) -> Attempt {
        let workspace = workspace.map(|id| WorkspaceId(id.to_owned()));
        Attempt::new(at(1_000), workspace.as_ref(), &SeededRng::new(1)).unwrap()
    }

    #[test]
    fn an_attempt_reads_back_until_its_time_is_over() {
        let attempt = attempt(Some("ws_1"));
        let text = attempt.text().expose_secret();
        for now in [1_000, 1_599] {
            let read = Attempt::parse(text, at(now)).unwrap();
            assert_eq!((read.workspace(), read.state()), (attempt.workspace(), attempt.state()));
            assert_eq!(read.expires(), Some(at(1_600)));
        }
        assert!(Attempt::parse(text, at(1_600)).is_none());
        assert!(Attempt::parse(text, at(999)).is_none(), "no attempt has more than ten minutes");
    }

    #[test]
    fn text_of_another_shape_is_no_attempt() {
        let random = "x".repeat(RANDOM);
        let good = format!("1600.{random}.");
        assert!(Attempt::parse(&good, at(1_000)).is_some());
        for bad in [
            String::new(),
            format!("1600.{random}"),
            format!("1600.{}.", &random[1..]),
            format!("1600.{random}.{}", "w".repeat(MAX_WORKSPACE + 1)),
            format!("1600.{random}.a b"),
            format!("1600.{}\u{e4}.", &random[2..]),
            format!("x.{random}."),
            format!("9223372036854775807.{random}."),
            format!("-1.{random}."),
        ] {
            assert!(Attempt::parse(&bad, at(1_000)).is_none(), "{bad}");
        }
        let workspace = WorkspaceId("ws 1".to_owned());
        assert!(Attempt::new(at(1_000), Some(&workspace), &SeededRng::new(1)).is_none());
    }

    #[test]
    fn state_nonce_and_verifier_differ_and_change_with_the_text() {
        let (one, other) = (attempt(None), attempt(Some("ws_1")));
        let hashes = |attempt: &Attempt| {
            [attempt.state(), attempt.nonce(), attempt.verifier().expose_secret().to_owned()]
        };
        let all: std::collections::HashSet<String> = hashes(&one).into_iter().chain(hashes(&other)).collect();
        assert_eq!(all.len(), 6);
        assert!(all.iter().all(|hash| hash.len() == 43), "{all:?}");
        assert!(one.has_state(&one.state()) && !one.has_state(&other.state()) && !one.has_state(""));
    }

    #[test]
    fn the_challenge_is_the_hash_of_the_verifier() {
        // The example of RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        assert_eq!(hash, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        let attempt = attempt(None);
        let own = URL_SAFE_NO_PAD.encode(Sha256::digest(attempt.verifier().expose_secret()));
        assert_eq!(attempt.code_challenge(), own);
    }
}
