//! What holds within a group and ends with it.

/// Where text goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Destination {
    #[default]
    Text,
    Skip,
    /// Both forms of a text, of which the one in Unicode counts.
    TwoForms,
    Fonts,
    Styles,
    /// The label of a list item.
    Label,
    Instruction,
    Title,
    Author,
    Created,
    Modified,
    Info,
}

/// Properties of a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    pub(super) in_table: bool,
    pub(super) outline: Option<u8>,
    pub(super) style: Option<i32>,
    pub(super) list: i32,
    pub(super) level: u8,
}

/// What begins anew after a group: a note, a text box or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupEnd {
    Note,
    Frame,
    Field,
    FieldResult,
}

/// What holds within a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) destination: Destination,
    pub(super) hidden: bool,
    pub(super) deleted: bool,
    /// Characters that stand for a Unicode one in old programs.
    pub(super) fallback: usize,
    pub(super) font: i32,
    pub(super) paragraph: Paragraph,
    pub(super) ends: Option<GroupEnd>,
    /// Whether the next word names a destination that old programs skip.
    pub(super) optional: bool,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            destination: Destination::Text,
            hidden: false,
            deleted: false,
            fallback: 1,
            font: -1,
            paragraph: Paragraph::default(),
            ends: None,
            optional: false,
        }
    }
}

/// The destination that a control word begins; `None` for words that begin none.
pub(super) fn destination(word: &str) -> Option<Destination> {
    Some(match word {
        "fonttbl" => Destination::Fonts,
        "stylesheet" => Destination::Styles,
        "listtext" | "pntext" => Destination::Label,
        "fldinst" => Destination::Instruction,
        "upr" => Destination::TwoForms,
        "info" => Destination::Info,
        "colortbl" | "pict" | "nonshppict" | "header" | "headerl" | "headerr" | "headerf" | "footer"
        | "footerl" | "footerr" | "footerf" | "objdata" | "objclass" | "themedata" | "colorschememapping"
        | "datastore" | "listtable" | "listoverridetable" | "rsidtbl" | "generator" | "xmlnstbl"
        | "latentstyles" | "filetbl" | "revtbl" | "pgdsctbl" | "private" | "pntxta" | "pntxtb" | "pn"
        | "annotation" | "atnid" | "atnauthor" | "atndate" | "atnref" | "atntime" | "atrfstart"
        | "atrfend" | "bkmkstart" | "bkmkend" | "tc" | "tcn" | "xe" | "txe" | "rxe" | "sp" | "shprslt"
        | "ftnsep" | "ftnsepc" | "ftncn" | "aftnsep" | "aftnsepc" | "aftncn" | "formfield" | "datafield"
        | "docvar" | "template" | "fldtype" | "wgrffmtfilter" | "userprops" | "password" | "passwordhash"
        | "falt" | "panose" | "picprop" | "blipuid" => Destination::Skip,
        // Properties of formulas.
        word if word.starts_with('m') && word.ends_with("Pr") => Destination::Skip,
        _ => return None,
    })
}

/// Destinations that old programs skip and that hold text all the same.
pub(super) fn is_text_destination(word: &str) -> bool {
    matches!(word, "shpinst" | "shppict" | "moMath" | "moMathPara" | "ud" | "dptxbxtext" | "do" | "dptxbx")
}
