//! The component contract without its transport.

use crate::context::{Context, Sink};
use crate::registry::{CallError, ToolEntry};
use crate::response::ToolResponse;
use serde_json::{json, Value};

const ENVELOPE: &str = "application/vnd.ftl.call+json";
pub(crate) const LINES: &str = "application/x-ndjson";
const FAILED: &str = "The tool failed; the component's log says why.";

pub(crate) struct Request<'a> {
    pub method: &'a str,
    /// Without the query.
    pub path: &'a str,
    /// Value of a header by its name in lower case.
    pub header: &'a dyn Fn(&str) -> Option<String>,
    pub body: &'a [u8],
}

#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub status: u16,
    pub body: Value,
    pub allow: Option<&'static str>,
}

impl Reply {
    fn new(status: u16, body: Value) -> Self {
        Self { status, body, allow: None }
    }

    fn failure(status: u16, code: &str, message: &str) -> Self {
        Self::new(status, json!({ "error": { "code": code, "message": message } }))
    }

    fn result(status: u16, result: &ToolResponse) -> Self {
        Self::new(status, json!(result))
    }

    /// The line that ends an answer in lines.
    #[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
    pub fn last_line(&self) -> Value {
        match self.body.pointer("/error/message") {
            Some(message) => json!({ "type": "error", "message": message }),
            None => json!({ "type": "result", "result": self.body }),
        }
    }
}

/// Whether the caller takes lines.
pub(crate) fn accepts_lines(accept: Option<&str>) -> bool {
    let first =
        |kind: &str| kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(LINES);
    accept.is_some_and(|accept| accept.split(',').any(first))
}

/// `sink` takes the lines a tool sends before its answer.
pub(crate) fn serve(tools: &[&ToolEntry], request: &Request<'_>, sink: Option<Sink<'_>>) -> Reply {
    let Request { method, path, .. } = *request;
    let alone = (tools.len() == 1).then(|| tools[0]);
    if path == "/" && matches!(method, "GET" | "HEAD") {
        return Reply::new(200, offer(tools));
    }
    let name = decode(path.strip_prefix('/').unwrap_or(path));
    let found = match path {
        "/" => alone,
        _ => tools.iter().copied().find(|tool| tool.name == name),
    };
    match found {
        Some(tool) if method == "POST" => call(tool, request, sink),
        Some(_) if path != "/" => not_allowed("POST"),
        None if path != "/" => Reply::failure(404, "not_found", "There is no such tool."),
        Some(_) => not_allowed("GET, POST"),
        None => not_allowed("GET"),
    }
}

/// The plain form, as long as it says everything.
fn offer(tools: &[&ToolEntry]) -> Value {
    let described: Vec<Value> = tools.iter().map(|tool| tool.description()).collect();
    if tools.iter().any(|tool| tool.tells) {
        return json!({ "tools": described, "logging": true });
    }
    match <[Value; 1]>::try_from(described) {
        Ok([only]) => only,
        Err(described) => Value::Array(described),
    }
}

fn call(tool: &ToolEntry, request: &Request<'_>, sink: Option<Sink<'_>>) -> Reply {
    let Ok(args) = arguments(request) else {
        return Reply::result(400, &ToolResponse::error("The body is not valid JSON."));
    };
    if !args.is_object() {
        let message = "Invalid arguments:\nthe arguments must be a JSON object";
        return Reply::result(400, &ToolResponse::error(message));
    }
    let context = Context::new(request.header, sink);
    match (tool.call)(args, &context) {
        Ok(response) => Reply::result(200, &response),
        Err(CallError::InvalidArguments(message)) => {
            Reply::result(400, &ToolResponse::error(format!("Invalid arguments:\n{message}")))
        }
        Err(CallError::Failed(error)) if error.shown => {
            Reply::result(200, &ToolResponse::error(error.message))
        }
        Err(CallError::Failed(error)) => {
            eprintln!("tool {} failed: {}", tool.name, error.message);
            Reply::failure(500, "tool_failed", FAILED)
        }
    }
}

fn arguments(request: &Request<'_>) -> Result<Value, serde_json::Error> {
    if request.body.is_empty() {
        return Ok(json!({}));
    }
    let mut body: Value = serde_json::from_slice(request.body)?;
    let envelope = (request.header)("content-type").as_deref() == Some(ENVELOPE);
    Ok(if envelope { body["arguments"].take() } else { body })
}

fn not_allowed(allow: &'static str) -> Reply {
    let message = format!("allowed here: {allow}");
    Reply { allow: Some(allow), ..Reply::failure(405, "method_not_allowed", &message) }
}

/// Percent-decoding; what is no UTF-8 afterwards is no tool's name.
fn decode(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = path.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(code) if byte == b'%' => {
                decoded.push(code);
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_default()
}
