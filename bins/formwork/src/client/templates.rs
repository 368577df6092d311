//! `formwork templates`: ready forms of common documents.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use rules_engine::schema::{FormTemplate, template, template_ids, template_languages};
use serde_json::json;

/// What is done with templates.
#[derive(Debug, Subcommand)]
pub(crate) enum TemplatesCommand {
    /// List the documents that there is a template for
    List {
        #[command(flatten)]
        language: LanguageFlag,
    },
    /// Print a template as JSON, as `forms import` and `extract` read it
    Show {
        /// Id of the template, such as invoice
        template: String,
        #[command(flatten)]
        language: LanguageFlag,
        /// Print the sample document instead of the form
        #[arg(long)]
        sample: bool,
    },
}

/// The language of a template.
#[derive(Args, Debug)]
pub(crate) struct LanguageFlag {
    /// Language of the fields, such as de
    #[arg(long, default_value = "en", value_parser = known_language)]
    language: String,
}

/// # Errors
/// When there are no templates in the language.
fn known_language(code: &str) -> Result<String, String> {
    let known: Vec<&str> = template_languages().collect();
    if known.contains(&code) { Ok(code.to_owned()) } else { Err(format!("one of {}", known.join(", "))) }
}

impl TemplatesCommand {
    /// What is printed.
    ///
    /// # Errors
    /// When there is no such template.
    pub(crate) fn run(self) -> anyhow::Result<String> {
        match self {
            Self::List { language } => {
                let all = template_ids(&language.language).into_iter();
                let line = |template: FormTemplate| format!("{:<20}{}\n", template.id, template.title);
                Ok(all.filter_map(|id| template(id, &language.language)).map(line).collect())
            }
            Self::Show { template: id, language, sample } => {
                let found = template(&id, &language.language);
                let found = found.with_context(|| {
                    format!("there is no template '{id}'; `formwork templates list` names all")
                })?;
                if sample {
                    return Ok(found.sample);
                }
                let form = json!({"title": found.title, "schema": found.schema});
                Ok(format!("{}\n", serde_json::to_string_pretty(&form)?))
            }
        }
    }
}
