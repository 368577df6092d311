//! Footnotes and endnotes, in the order of their marks.

use std::collections::BTreeMap;

use document::ParseError;

use super::super::flow::{FlowBlock, flattened};
use super::body::Body;
use crate::package::Relations;
use crate::xml;

impl Body<'_> {
    /// Appends the notes whose marks were found. `relations` are those of the main part.
    pub(super) fn notes(
        &mut self,
        relations: &Relations,
        blocks: &mut Vec<FlowBlock>,
    ) -> Result<(), ParseError> {
        let noted = std::mem::take(&mut self.note_order);
        self.in_note = true;
        let mut texts: BTreeMap<usize, FlowBlock> = BTreeMap::new();
        for (endnote, kind, element) in [(false, "footnotes", "w:footnote"), (true, "endnotes", "w:endnote")]
        {
            if !noted.keys().any(|(known, _)| *known == endnote) {
                continue;
            }
            let part = relations.values().filter(|relation| relation.kind == kind && !relation.external);
            let Some(part) = part.map(|relation| relation.target.clone()).min() else { continue };
            let Some(text) = self.package.part(&part)? else { continue };
            let Ok(tree) = xml::tree(&text, &self.package.limits) else { continue };
            self.relations = self.package.relations(&part)?;
            for node in tree.root().into_iter().flat_map(|root| root.all(element)) {
                let Some(id) = node.attribute("w:id") else { continue };
                let Some(place) = noted.get(&(endnote, id.to_owned())) else { continue };
                let text = flattened(&self.blocks(node));
                let label = (place + 1).to_string();
                texts.insert(*place, FlowBlock::Footnote { label, text });
            }
        }
        blocks.extend(texts.into_values());
        Ok(())
    }
}
