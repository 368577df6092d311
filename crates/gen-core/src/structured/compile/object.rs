//! Compiles objects: required properties, and whether other properties are allowed.

use serde_json::{Map, Value, json};

use super::super::keywords::token;
use super::Compiler;
use super::absence::Property;
use super::decode::{AbsenceEncoding, DecodePlan, Member};
use super::normal_schema::NormalSchema;
use super::unsupported::{UnsupportedSchema, inexpressible};

impl Compiler {
    pub(super) fn object(
        &mut self,
        schema: &NormalSchema,
        out: &mut Map<String, Value>,
        path: &str,
        depth: usize,
    ) -> Result<Vec<Member>, UnsupportedSchema> {
        let none = Map::new();
        let properties = schema.keyword("properties").and_then(Value::as_object).unwrap_or(&none);
        let required: Vec<&str> = schema
            .keyword("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        self.other_properties(schema, properties, &required, out, path)?;
        let (mut members, mut asked, mut compiled) = (Vec::new(), Vec::new(), Map::new());
        for (name, inner) in properties {
            self.counts.properties += 1;
            self.counts.chars += name.chars().count();
            let path = format!("{path}/properties/{}", token(name));
            let inner = NormalSchema::read(inner, &path)?;
            let property = Property { schema: &inner, required: required.contains(&name.as_str()) };
            let answer = self.property(&property, &path, depth + 1)?;
            if answer.is_required {
                asked.push(name.as_str());
            }
            members.push(Member { name: name.clone(), undo: answer.undo, absent: answer.absent });
            compiled.insert(name.clone(), answer.schema);
        }
        let in_order = asked.len() == members.len();
        out.insert("properties".to_owned(), Value::Object(compiled));
        out.insert("required".to_owned(), json!(asked));
        let plain =
            |member: &Member| member.undo == DecodePlan::Keep && member.absent == AbsenceEncoding::Unchanged;
        Ok(if members.iter().all(plain) && in_order { Vec::new() } else { members })
    }

    /// Closes the object if the dialect requires it.
    fn other_properties(
        &self,
        schema: &NormalSchema,
        properties: &Map<String, Value>,
        required: &[&str],
        out: &mut Map<String, Value>,
        path: &str,
    ) -> Result<(), UnsupportedSchema> {
        let others = schema.keyword("additionalProperties");
        if !self.dialect.is_closed() {
            if let Some(Value::Bool(open)) = others {
                out.insert("additionalProperties".to_owned(), json!(open));
            }
            return Ok(());
        }
        let is_map = others.and_then(Value::as_object).is_some_and(|schema| !schema.is_empty());
        if is_map || schema.keyword("patternProperties").is_some() {
            return Err(inexpressible("an object with properties of any name", path));
        }
        if properties.is_empty() && others != Some(&Value::Bool(false)) {
            return Err(inexpressible("an object without 'properties'", path));
        }
        if required.iter().any(|name| !properties.contains_key(*name)) {
            return Err(inexpressible("a required property that has no schema", path));
        }
        out.insert("additionalProperties".to_owned(), json!(false));
        Ok(())
    }
}
