//! Reads the structure tree, in one pass from top to bottom.

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{
    Array, Dict, MaybeRef, Name, Object, ObjectIdentifier, Rect as PdfRect, String as PdfString,
};
use hayro_syntax::xref::XRef;
use kurbo::Rect;

use super::role::{Cell, Kind, Role};
use super::{Structure, Tag, TaggedFigure};
use crate::pdf::metadata::text_string;

/// Maximum elements and contents of a document, and maximum nesting of elements. Protects time and memory:
/// elements may contain each other.
const MAX_NODES: usize = 500_000;
const MAX_DEPTH: u16 = 100;
/// Maximum steps of mapping a role to a standard type. Protects time: roles may be mapped in a circle.
const MAX_MAPPED: usize = 8;
/// Maximum characters of a description. Protects memory.
const MAX_DESCRIPTION: usize = 2_000;
/// Maximum columns of a table, and maximum rows or columns that a cell spans. Protects memory.
const MAX_COLUMNS: u32 = 1_000;
/// Maximum attribute dictionaries of an element. Protects time.
const MAX_ATTRIBUTES: usize = 16;

/// Reads the structure of a document that is marked as tagged.
pub(in crate::pdf) fn read(pdf: &Pdf) -> Option<Structure> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id())?;
    let root = catalog.get::<Dict<'_>>("StructTreeRoot")?;
    let pages = pdf
        .pages()
        .iter()
        .enumerate()
        .filter_map(|(index, page)| Some((page.raw().obj_id()?, u32::try_from(index).ok()?)));
    let mut reader = Reader {
        xref: pdf.xref(),
        roles: root.get::<Dict<'_>>("RoleMap"),
        pages: pages.collect(),
        structure: Structure::default(),
        tables: Vec::new(),
        order: 0,
        elements: 0,
        room: MAX_NODES,
    };
    reader.read(&root);
    Some(reader.structure)
}

/// Inherited context of an element's content.
#[derive(Clone, Copy, Debug)]
struct Context {
    page: Option<u32>,
    role: Role,
    block: u32,
    label: bool,
    /// Number of lists and sections around it.
    lists: u8,
    sections: u8,
    table: Option<usize>,
    depth: u16,
}

/// A table while its rows are read.
#[derive(Debug, Default)]
struct TableState {
    /// Number of rows so far.
    rows: u32,
    column: u32,
    /// For each column, the rows that a cell above still spans.
    covered: Vec<u32>,
}

/// Nodes still to be read, the next one last.
type Pending<'a> = Vec<(MaybeRef<Object<'a>>, Context)>;

struct Reader<'a> {
    xref: &'a XRef,
    roles: Option<Dict<'a>>,
    pages: HashMap<ObjectIdentifier, u32>,
    structure: Structure,
    tables: Vec<TableState>,
    order: u32,
    elements: u32,
    /// Number of nodes that may still be read.
    room: usize,
}

impl<'a> Reader<'a> {
    fn read(&mut self, root: &Dict<'a>) {
        let context = Context {
            page: None,
            role: Role::Text,
            block: 0,
            label: false,
            lists: 0,
            sections: 0,
            table: None,
            depth: 0,
        };
        let mut open = Vec::new();
        self.push_children(root, context, &mut open);
        while let Some((node, context)) = open.pop() {
            let node = match node {
                MaybeRef::Ref(reference) => self.xref.get::<Object<'a>>(reference.into()),
                MaybeRef::NotRef(node) => Some(node),
            };
            let Some(node) = node else { continue };
            match node {
                Object::Dict(dict) => self.node(&dict, context, &mut open),
                Object::Number(number) => self.content(number.as_i64(), context),
                _ => {}
            }
        }
    }

    fn node(&mut self, dict: &Dict<'a>, mut context: Context, open: &mut Pending<'a>) {
        if let Some(page) = dict.get_ref("Pg") {
            context.page = self.pages.get(&page.into()).copied();
        }
        match dict.get::<Name<'_>>("Type").as_deref() {
            // Content of another stream has ids of its own.
            Some(b"MCR") if dict.contains_key("Stm") => {}
            Some(b"MCR") => self.content(dict.get::<i64>("MCID").unwrap_or(-1), context),
            Some(b"OBJR") => {}
            _ if context.depth < MAX_DEPTH => {
                self.enter(dict, &mut context);
                self.push_children(dict, context, open);
            }
            _ => {}
        }
    }

    /// Pushes the children of an element onto the pending nodes.
    fn push_children(&mut self, dict: &Dict<'a>, context: Context, open: &mut Pending<'a>) {
        let first = open.len();
        if let Some(children) = dict.get::<Array<'a>>("K") {
            open.extend(children.raw_iter().take(self.room).map(|child| (child, context)));
            open.get_mut(first..).unwrap_or_default().reverse();
        } else if let Some(child) = dict.get_raw::<Object<'a>>("K").filter(|_| self.room > 0) {
            open.push((child, context));
        }
        self.room = self.room.saturating_sub(open.len() - first);
    }

    /// Applies an element to the context of its content.
    fn enter(&mut self, dict: &Dict<'_>, context: &mut Context) {
        context.depth += 1;
        self.elements += 1;
        let in_cell = matches!(context.role, Role::Cell(_));
        match self.kind(dict) {
            Kind::Section => context.sections = context.sections.saturating_add(1),
            Kind::List => context.lists = context.lists.saturating_add(1),
            Kind::Label => context.label = true,
            Kind::Figure => self.figure(dict, context),
            // All content of a cell belongs to the cell.
            _ if in_cell => {}
            Kind::Heading(level) => {
                let level = level.unwrap_or(context.sections).clamp(1, 6);
                (context.role, context.block) = (Role::Heading(level), self.elements);
            }
            Kind::Item => {
                let depth = context.lists.saturating_sub(1);
                (context.role, context.block) = (Role::Item { depth }, self.elements);
            }
            Kind::Paragraph if context.role == Role::Text => context.block = self.elements,
            Kind::Table => {
                context.table = Some(self.tables.len());
                self.tables.push(TableState::default());
            }
            Kind::Row => {
                if let Some(table) = context.table.and_then(|table| self.tables.get_mut(table)) {
                    table.begin_row();
                }
            }
            Kind::Cell(header) => self.cell(dict, header, context),
            Kind::Paragraph | Kind::Other => {}
        }
    }

    fn kind(&self, dict: &Dict<'_>) -> Kind {
        let Some(mut name) = dict.get::<Name<'_>>("S") else { return Kind::Other };
        for _ in 0..MAX_MAPPED {
            if let Some(kind) = Kind::of(&name) {
                return kind;
            }
            let Some(mapped) = self.roles.as_ref().and_then(|roles| roles.get::<Name<'_>>(name.as_ref()))
            else {
                break;
            };
            name = mapped;
        }
        Kind::Other
    }

    fn cell(&mut self, dict: &Dict<'_>, header: bool, context: &mut Context) {
        let Some((number, table)) =
            context.table.and_then(|number| Some((number, self.tables.get_mut(number)?)))
        else {
            return;
        };
        let span = |name: &str| {
            let span = attributes(dict).find_map(|all| all.get::<i64>(name)).unwrap_or(1);
            u32::try_from(span.clamp(1, i64::from(MAX_COLUMNS))).unwrap_or(1)
        };
        let (row_span, column_span) = (span("RowSpan"), span("ColSpan"));
        let Some((row, column)) = table.place(row_span, column_span) else { return };
        let table = u32::try_from(number).unwrap_or(u32::MAX);
        context.role = Role::Cell(Cell { table, row, column, row_span, column_span, header });
        context.block = self.elements;
    }

    /// Adds a figure with a description.
    fn figure(&mut self, dict: &Dict<'_>, context: &Context) {
        let text = dict.get::<PdfString<'_>>("Alt").map(|text| text_string(text.as_bytes()));
        let text = text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let (Some(text), Some(page)) = (text.filter(|text| !text.is_empty()), context.page) else { return };
        let area = attributes(dict).find_map(|all| all.get::<PdfRect>("BBox"));
        let area = area.map(|area| Rect::new(area.x0, area.y0, area.x1, area.y1));
        self.order = self.order.saturating_add(1);
        self.structure.pages.entry(page).or_default().figures.push(TaggedFigure {
            order: self.order,
            text: text.chars().take(MAX_DESCRIPTION).collect(),
            area,
        });
    }

    fn content(&mut self, number: i64, context: Context) {
        let (Ok(number), Some(page)) = (u32::try_from(number), context.page) else { return };
        self.order = self.order.saturating_add(1);
        let tag = Tag { role: context.role, block: context.block, order: self.order, label: context.label };
        self.structure.pages.entry(page).or_default().tags.entry(number).or_insert(tag);
    }
}

impl TableState {
    fn begin_row(&mut self) {
        if self.rows > 0 {
            self.covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
        }
        self.rows = self.rows.saturating_add(1);
        self.column = 0;
    }

    /// The grid position of the next cell of the row: row and column.
    fn place(&mut self, row_span: u32, column_span: u32) -> Option<(u32, u32)> {
        let row = self.rows.checked_sub(1)?;
        while self.covered.get(self.column as usize).is_some_and(|rows| *rows > 0) {
            self.column += 1;
        }
        let column = self.column;
        let after = column.checked_add(column_span).filter(|after| *after <= MAX_COLUMNS)?;
        self.column = after;
        if self.covered.len() < after as usize {
            self.covered.resize(after as usize, 0);
        }
        self.covered.get_mut(column as usize..after as usize)?.fill(row_span);
        Some((row, column))
    }
}

/// The dictionaries of an element's attributes.
fn attributes<'a>(dict: &Dict<'a>) -> impl Iterator<Item = Dict<'a>> {
    let one = dict.get::<Dict<'a>>("A");
    let many = dict.get::<Array<'a>>("A");
    one.into_iter().chain(
        many.into_iter()
            .flat_map(|all| all.iter::<Object<'a>>().take(MAX_ATTRIBUTES))
            .filter_map(Object::into_dict),
    )
}
