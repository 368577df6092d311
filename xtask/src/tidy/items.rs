//! Named items of product code with their doc comments, without tests.

use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta};

use super::sources::is_test_only;

/// Kind of an item, as far as the checks need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// A struct, enum, union, trait or type alias.
    Type,
    /// Any other named item: function, field, variant, constant, module.
    Other,
}

#[derive(Debug)]
pub(crate) struct NamedItem {
    /// Without the `r#` of raw identifiers.
    pub(crate) name: String,
    /// The type that contains it, if any.
    pub(crate) owner: Option<String>,
    pub(crate) kind: ItemKind,
    /// The line of its name.
    pub(crate) line: usize,
    /// The lines of its doc comment, trimmed.
    pub(crate) docs: Vec<String>,
}

/// The items of a file.
pub(crate) fn of(file: &syn::File) -> Vec<NamedItem> {
    let mut collector = ItemCollector { owner: None, found: Vec::new() };
    collector.visit_file(file);
    collector.found
}

struct ItemCollector {
    owner: Option<String>,
    found: Vec<NamedItem>,
}

impl ItemCollector {
    fn add(&mut self, kind: ItemKind, name: &Ident, attributes: &[Attribute]) {
        self.found.push(NamedItem {
            name: name.to_string().trim_start_matches("r#").to_owned(),
            owner: self.owner.clone(),
            kind,
            line: name.span().start().line,
            docs: doc_lines(attributes),
        });
    }

    /// Visits the members of an item.
    fn within(&mut self, owner: String, visit: impl FnOnce(&mut Self)) {
        let outer = self.owner.replace(owner);
        visit(self);
        self.owner = outer;
    }
}

macro_rules! visit_types {
    ($($method:ident: $item:ty),* $(,)?) => {
        $(fn $method(&mut self, item: &'ast $item) {
            if !is_test_only(&item.attrs) {
                self.add(ItemKind::Type, &item.ident, &item.attrs);
                self.within(item.ident.to_string(), |this| visit::$method(this, item));
            }
        })*
    };
}

macro_rules! visit_others {
    ($($method:ident: $item:ty, $name:ident $(. $part:ident)?;)*) => {
        $(fn $method(&mut self, item: &'ast $item) {
            if !is_test_only(&item.attrs) {
                self.add(ItemKind::Other, &item.$name $(.$part)?, &item.attrs);
                visit::$method(self, item);
            }
        })*
    };
}

impl<'ast> Visit<'ast> for ItemCollector {
    visit_types! {
        visit_item_struct: syn::ItemStruct,
        visit_item_enum: syn::ItemEnum,
        visit_item_union: syn::ItemUnion,
        visit_item_trait: syn::ItemTrait,
        visit_item_type: syn::ItemType,
    }

    visit_others! {
        visit_item_fn: syn::ItemFn, sig.ident;
        visit_impl_item_fn: syn::ImplItemFn, sig.ident;
        visit_trait_item_fn: syn::TraitItemFn, sig.ident;
        visit_item_const: syn::ItemConst, ident;
        visit_impl_item_const: syn::ImplItemConst, ident;
        visit_trait_item_const: syn::TraitItemConst, ident;
        visit_item_static: syn::ItemStatic, ident;
        visit_item_mod: syn::ItemMod, ident;
        visit_variant: syn::Variant, ident;
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.add(ItemKind::Other, name, &field.attrs);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        self.within(name.unwrap_or_default(), |this| visit::visit_item_impl(this, item));
    }
}

/// The lines of the doc comment in attributes.
fn doc_lines(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    let texts = attributes.iter().filter_map(text);
    texts.flat_map(|text| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::{ItemKind, of};

    #[test]
    fn items_come_with_docs_owner_and_line_and_without_tests() {
        let text = "/// A form.\nstruct Form {\n    /// Name.\n    name: String,\n}\n#[cfg(test)]\nmod tests { struct Fake; }";
        let items = of(&syn::parse_file(text).unwrap());
        let told: Vec<_> =
            items.iter().map(|item| (item.name.as_str(), item.owner.as_deref(), item.line)).collect();
        assert_eq!(told, [("Form", None, 2), ("name", Some("Form"), 4)]);
        assert_eq!(items[0].kind, ItemKind::Type);
        assert_eq!(items[1].docs, ["Name."]);
    }
}
