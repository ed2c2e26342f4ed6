use ftl_component::{tool, Context, Json, Level, ToolError, ToolResponse};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Greeting {
    /// Whom to greet
    name: String,
    /// How often
    #[serde(default = "once")]
    #[schemars(range(min = 1, max = 100))]
    times: u32,
}

fn once() -> u32 {
    1
}

/// Says hello
#[tool(title = "Greeter", read_only)]
fn greet(input: Greeting) -> Result<ToolResponse, ToolError> {
    if !(1..=100).contains(&input.times) {
        return Err(ToolError::new("times: give a number from 1 to 100"));
    }
    let lines: Vec<String> = (0..input.times).map(|_| format!("Hello, {}!", input.name)).collect();
    Ok(ToolResponse::text(lines.join("\n")))
}

#[derive(Deserialize, JsonSchema)]
struct Numbers {
    numbers: Vec<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Statistics {
    count: usize,
    sum: f64,
}

/// Counts and adds numbers
#[tool(read_only)]
fn statistics(input: Numbers) -> Json<Statistics> {
    Json(Statistics { count: input.numbers.len(), sum: input.numbers.iter().sum() })
}

/// Reads its own numbers from 1 to 3, and tells of each
#[tool(name = "count-up")]
fn count_up(context: &Context) -> String {
    for number in 1..=3 {
        context.progress(f64::from(number), Some(3.0), &format!("at {number}"));
    }
    context.log(Level::Info, "counted");
    "counted to 3".to_owned()
}

/// Names the caller
#[tool(read_only)]
fn whoami(context: &Context) -> Result<String, ToolError> {
    let caller =
        context.caller().ok_or_else(|| ToolError::new("This needs a caller who signed in."))?;
    if !caller.has_scope("tools") {
        return Err(ToolError::new("This needs the scope \"tools\"."));
    }
    Ok(caller.user.clone().unwrap_or_else(|| caller.id.clone()))
}

#[cfg(test)]
mod tests {
    use ftl_component::testing::{call, call_by, offer, send};
    use ftl_component::Caller;
    use serde_json::json;

    #[test]
    fn greets_as_often_as_asked() {
        let outcome = call("greet", &json!({ "name": "Ada", "times": 2 }));
        assert_eq!((outcome.status, outcome.text()), (200, "Hello, Ada!\nHello, Ada!"));
    }

    #[test]
    fn says_what_is_wrong_with_its_arguments() {
        let missing = call("greet", &json!({}));
        assert_eq!((missing.status, missing.is_error()), (400, true));
        assert!(missing.text().contains("`name`"), "{}", missing.text());
        let unknown = call("count-up", &json!({ "to": 4 }));
        assert_eq!((unknown.status, unknown.is_error()), (400, true));
        let refused = call("greet", &json!({ "name": "Ada", "times": 0 }));
        assert_eq!((refused.status, refused.is_error()), (200, true));
    }

    #[test]
    fn publishes_every_tool_with_what_its_types_say() {
        let offer = offer();
        let tools = offer["tools"].as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["count-up", "greet", "statistics", "whoami"]);
        assert_eq!(tools[1]["title"], "Greeter");
        assert_eq!(tools[1]["description"], "Says hello");
        assert_eq!(tools[1]["annotations"], json!({ "readOnlyHint": true }));
        assert_eq!(tools[1]["inputSchema"]["required"], json!(["name"]));
        assert_eq!(tools[2]["outputSchema"]["required"], json!(["count", "sum"]));
        assert!(!offer.to_string().contains("\"format\""), "{offer}");
    }

    #[test]
    fn a_value_is_an_answer_with_structure() {
        let outcome = call("statistics", &json!({ "numbers": [1.5, 2.0] }));
        assert_eq!(outcome.body["structuredContent"], json!({ "count": 2, "sum": 3.5 }));
    }

    #[test]
    fn progress_is_told_and_log_lines_only_to_whoever_wants_them() {
        let told = call("count-up", &json!({}));
        let progress: Vec<_> = told.lines.iter().map(|line| &line["progress"]).collect();
        assert_eq!(progress, [1.0, 2.0, 3.0]);
        let headers = [("accept", "application/x-ndjson"), ("ftl-log-level", "info")];
        let logged = send("POST", "/count-up", &headers, "{}").lines;
        assert_eq!(logged[3], json!({ "type": "log", "level": "info", "data": "counted" }));
    }

    #[test]
    fn a_caller_is_known_by_its_scopes_and_names() {
        assert!(call("whoami", &json!({})).text().contains("signed in"));
        let scopes = vec!["tools".to_owned()];
        let mut ada = Caller { id: "https://issuer#ada".to_owned(), scopes, ..Caller::default() };
        assert_eq!(call_by(&ada, "whoami", &json!({})).text(), "https://issuer#ada");
        ada.user = Some("äda".to_owned());
        assert_eq!(call_by(&ada, "whoami", &json!({})).text(), "äda");
        ada.scopes.clear();
        assert!(call_by(&ada, "whoami", &json!({})).is_error());
    }

    #[test]
    fn what_is_none_of_its_paths_and_methods_is_refused() {
        assert_eq!(send("POST", "/nobody", &[], "{}").status, 404);
        assert_eq!(send("PUT", "/greet", &[], "{}").status, 405);
        assert_eq!(send("POST", "/greet", &[], "{").status, 400);
    }
}
