use ftl_component::tool;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Input {
    /// Whom to greet
    name: String,
}

/// Greets somebody by name
#[tool(read_only)]
fn template_name(input: Input) -> String {
    format!("Hello, {}!", input.name)
}

#[cfg(test)]
mod tests {
    use ftl_component::testing::call;
    use serde_json::json;

    #[test]
    fn greets_by_name() {
        let outcome = call("template_name", &json!({ "name": "Ada" }));
        assert_eq!((outcome.status, outcome.text()), (200, "Hello, Ada!"));
    }

    #[test]
    fn says_which_argument_is_missing() {
        let outcome = call("template_name", &json!({}));
        assert!(outcome.is_error() && outcome.text().contains("`name`"), "{}", outcome.text());
    }
}
