use ftl_component::{tool, ToolResponse};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Input {
    /// Whom to greet
    name: String,
}

/// Says hello
#[tool]
fn greet(input: Input) -> ToolResponse {
    ToolResponse::text(format!("Hello, {}!", input.name))
}
