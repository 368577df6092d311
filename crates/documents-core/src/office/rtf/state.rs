//! State of a group; it is restored when the group ends.

/// Where text is written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Destination {
    #[default]
    Text,
    Skip,
    /// Both forms of a text, of which the Unicode one counts.
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

/// What ends with a group: a note, a text box or a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupEnd {
    Note,
    Frame,
    Field,
    FieldResult,
}

/// State of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) destination: Destination,
    pub(super) hidden: bool,
    pub(super) deleted: bool,
    /// Number of fallback characters after a Unicode character.
    pub(super) fallback: usize,
    pub(super) font: i32,
    pub(super) paragraph: Paragraph,
    pub(super) ends: Option<GroupEnd>,
    /// Whether the next word names an optional destination, which unaware programs skip.
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

/// The destination that a control word begins; `None` for other words.
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

/// Optional destinations that contain text nevertheless.
pub(super) fn is_text_destination(word: &str) -> bool {
    matches!(word, "shpinst" | "shppict" | "moMath" | "moMathPara" | "ud" | "dptxbxtext" | "do" | "dptxbx")
}
