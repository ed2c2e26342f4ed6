//! The tools of a component: each `#[tool]` leaves an entry, wherever in the crate it is.

use crate::context::Context;
use crate::error::ToolError;
use crate::response::{IntoToolResponse, ToolResponse};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{json, Value};

pub struct ToolEntry {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: Option<&'static str>,
    /// Hints by their names in the protocol.
    pub hints: &'static [(&'static str, bool)],
    /// It takes the context, so it may send log lines.
    pub tells: bool,
    pub input_schema: fn() -> Value,
    pub output_schema: fn() -> Option<Value>,
    pub call: fn(Value, &Context<'_>) -> CallOutcome,
}

inventory::collect!(ToolEntry);

/// Why there is no answer.
pub enum CallError {
    /// Words for the caller.
    InvalidArguments(String),
    Failed(ToolError),
}

pub type CallOutcome = Result<ToolResponse, CallError>;

/// By name, because the order in which a linker leaves them says nothing.
pub(crate) fn tools() -> Vec<&'static ToolEntry> {
    let mut tools: Vec<_> = inventory::iter::<ToolEntry>.into_iter().collect();
    tools.sort_by_key(|tool| tool.name);
    tools
}

impl ToolEntry {
    /// As `GET /` publishes it.
    pub(crate) fn description(&self) -> Value {
        let mut description = json!({ "name": self.name, "inputSchema": (self.input_schema)() });
        let fields = [("title", self.title), ("description", self.description)];
        for (field, text) in fields.into_iter().filter_map(|(field, text)| Some((field, text?))) {
            description[field] = json!(text);
        }
        if let Some(schema) = (self.output_schema)() {
            description["outputSchema"] = schema;
        }
        for (name, value) in self.hints {
            description["annotations"][*name] = json!(value);
        }
        description
    }
}

pub fn arguments<T: DeserializeOwned>(args: Value) -> Result<T, CallError> {
    serde_json::from_value(args).map_err(|error| CallError::InvalidArguments(error.to_string()))
}

/// For tools without an input: their schema allows no arguments.
pub fn no_arguments(args: &Value) -> Result<(), CallError> {
    match args.as_object().and_then(|object| object.keys().next()) {
        Some(name) => Err(CallError::InvalidArguments(format!("unknown argument `{name}`"))),
        None => Ok(()),
    }
}

pub fn answer(answer: impl IntoToolResponse) -> CallOutcome {
    answer.into_tool_response().map_err(CallError::Failed)
}

pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(plain_numbers));
    settings.into_generator().into_root_schema_for::<T>().into()
}

/// `uint32`, `double` and the like are no formats of JSON Schema: validators warn of each.
pub(crate) fn plain_numbers(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let sizes = format.trim_start_matches("uint").trim_start_matches("int");
    if matches!(format, "float" | "double")
        || (sizes != format && !sizes.contains(char::is_alphabetic))
    {
        schema.remove("format");
    }
}

pub fn output_schema<T: IntoToolResponse>() -> Option<Value> {
    T::output_schema()
}

/// Recommended by the specification for tools without parameters.
pub const NO_ARGUMENTS: fn() -> Value =
    || json!({ "type": "object", "additionalProperties": false });
