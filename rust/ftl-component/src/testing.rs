//! Calling tools in `cargo test`, on the machine of the developer and through the code that serves them.

use crate::caller::Caller;
use crate::registry::tools;
use crate::serve::{accepts_lines, serve, Request};
use serde_json::{json, Value};
use std::cell::RefCell;

/// What a call came to.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    /// Status of the HTTP answer.
    pub status: u16,
    /// The tool's answer, or `{ "error": { "code", "message" } }`.
    pub body: Value,
    /// Progress and log lines on the way, in order.
    pub lines: Vec<Value>,
}

impl Outcome {
    /// The first text of the answer; empty when there is none.
    pub fn text(&self) -> &str {
        let texts = self.body["content"].as_array().into_iter().flatten();
        texts.filter_map(|content| content["text"].as_str()).next().unwrap_or("")
    }

    pub fn is_error(&self) -> bool {
        self.body["isError"] == true
    }
}

/// Calls a tool of this crate by its name, for a caller that listens.
pub fn call(tool: &str, arguments: &Value) -> Outcome {
    send("POST", &format!("/{tool}"), &[("accept", "application/x-ndjson")], &arguments.to_string())
}

/// Calls a tool as an authenticated caller.
pub fn call_by(caller: &Caller, tool: &str, arguments: &Value) -> Outcome {
    let Caller { id, scopes, issuer, user, client } = caller;
    let details =
        json!({ "scopes": scopes, "issuer": issuer, "user": user, "client": client }).to_string();
    let headers =
        [("accept", "application/x-ndjson"), ("ftl-principal", id), ("ftl-caller", &details)];
    send("POST", &format!("/{tool}"), &headers, &arguments.to_string())
}

/// What `GET /` answers.
pub fn offer() -> Value {
    send("GET", "/", &[], "").body
}

/// Any request of the component contract; headers by their names in lower case.
pub fn send(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Outcome {
    let lines = RefCell::new(Vec::new());
    let header = |name: &str| {
        headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    let request = Request { method, path, header: &header, body: body.as_bytes() };
    let listens = accepts_lines(header("accept").as_deref());
    let sink = listens.then(|| -> Box<dyn FnMut(&Value)> {
        Box::new(|line: &Value| lines.borrow_mut().push(line.clone()))
    });
    let reply = serve(&tools(), &request, sink);
    Outcome { status: reply.status, body: reply.body, lines: lines.into_inner() }
}
