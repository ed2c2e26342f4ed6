//! What stands in the brackets of `#[tool(…)]`.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, ExprLit, Lit, LitBool, LitStr, Meta, Token};

#[derive(Default)]
pub struct Options {
    name: Option<LitStr>,
    pub title: Option<String>,
    description: Option<String>,
    /// By their names in the protocol.
    pub hints: Vec<(&'static str, bool)>,
}

const HINTS: [(&str, &str); 4] = [
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
];

impl Parse for Options {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            let hint = HINTS.iter().find(|(name, _)| key == name);
            if let Some((_, hint)) = hint {
                let value = if input.parse::<Option<Token![=]>>()?.is_some() {
                    input.parse::<LitBool>()?.value
                } else {
                    true
                };
                options.hints.push((hint, value));
            } else {
                input.parse::<Token![=]>()?;
                let text: LitStr = input.parse()?;
                match key.to_string().as_str() {
                    "name" => options.name = Some(text),
                    "title" => options.title = Some(text.value()),
                    "description" => options.description = Some(text.value()),
                    _ => {
                        let known = "name, title, description, read_only, destructive, idempotent, open_world";
                        return Err(Error::new(
                            key.span(),
                            format!("there are the options {known}"),
                        ));
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    /// The option, or else the function's name.
    pub fn name(&self, function: &Ident) -> Result<String, Error> {
        let (name, span) = match &self.name {
            Some(name) => (name.value(), name.span()),
            None => (function.to_string().trim_start_matches("r#").to_owned(), function.span()),
        };
        let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
        if (1..=64).contains(&name.len()) && name.chars().all(plain) {
            return Ok(name);
        }
        let message =
            "a tool's name has 1 to 64 characters of letters, digits, \"_\", \".\" and \"-\"";
        Err(Error::new(span, message))
    }

    /// The option, or else the doc comment.
    pub fn description(&self, attributes: &[Attribute]) -> Option<String> {
        if self.description.is_some() {
            return self.description.clone();
        }
        let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
        let text = lines.join("\n").trim().to_owned();
        (!text.is_empty()).then_some(text)
    }
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
    meta.path.is_ident("doc").then(|| {
        let text = text.value();
        text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned()
    })
}
