//! What is tried: a target for each format.

use crate::container::Container;
use crate::seeds;

/// A format to try.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How it is called on the command line, which is also the ending of its files.
    pub name: &'static str,
    /// How its files are taken apart.
    pub(crate) container: Container,
    /// Small files that are made by code.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
}

const fn target(name: &'static str, container: Container, seeds: fn() -> Vec<Vec<u8>>) -> Target {
    Target { name, container, seeds }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("pdf", Container::Pdf, seeds::pdf::all),
    target("docx", Container::Zip, seeds::office::docx),
    target("pptx", Container::Zip, seeds::office::pptx),
    target("xlsx", Container::Zip, seeds::sheets::xlsx),
    target("xlsb", Container::Zip, seeds::sheets::xlsb),
    target("xls", Container::Compound, seeds::legacy::xls),
    target("odt", Container::Zip, seeds::office::odt),
    target("odp", Container::Zip, seeds::office::odp),
    target("ods", Container::Zip, seeds::sheets::ods),
    target("rtf", Container::Plain, seeds::texts::rtf),
    target("epub", Container::Zip, seeds::office::epub),
    target("html", Container::Plain, seeds::texts::html),
    target("page", Container::Plain, seeds::texts::pages),
    target("md", Container::Plain, seeds::texts::markdown),
    target("csv", Container::Plain, seeds::texts::csv),
    target("json", Container::Plain, seeds::texts::json),
    target("xml", Container::Plain, seeds::texts::xml),
    target("eml", Container::Mail, seeds::mail::eml),
    target("msg", Container::Compound, seeds::mail::msg),
    target("doc", Container::Compound, seeds::legacy::doc),
    target("ppt", Container::Compound, seeds::legacy::ppt),
    target("zip", Container::Zip, seeds::mail::zip),
    target("svg", Container::Plain, seeds::images::svg),
    target("image", Container::Plain, seeds::images::pictures),
    target("txt", Container::Plain, seeds::texts::text),
];

impl Target {
    /// The target of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The target that files of this ending belong to.
    #[must_use]
    pub fn for_ending(ending: &str) -> Option<&'static Self> {
        Self::named(match ending {
            "htm" | "xhtml" => "html",
            "xlsm" => "xlsx",
            "ipynb" => "json",
            "png" | "jpg" | "jpeg" | "gif" | "bmp" | "webp" | "tif" | "tiff" => "image",
            other => other,
        })
    }

    /// The name under which its files are parsed.
    pub(crate) fn file_name(&self) -> String {
        format!("case.{}", self.name)
    }
}
