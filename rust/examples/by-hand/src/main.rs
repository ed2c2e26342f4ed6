// The component contract by hand: no SDK, three kinds of request.
use serde_json::{json, Value};

fn answer(method: &str, path: &str, body: &[u8]) -> (u16, Value) {
    match (method, path) {
        ("GET", "/") => (200, description()),
        ("POST", "/" | "/greet") => match serde_json::from_slice::<Value>(body) {
            Ok(arguments) => greet(&arguments),
            Err(_) => (400, failed("The body is not valid JSON.")),
        },
        (_, "/" | "/greet") => (405, json!({ "error": { "message": "allowed here: POST" } })),
        _ => (404, json!({ "error": { "message": "There is no such tool." } })),
    }
}

fn description() -> Value {
    json!({
        "name": "greet",
        "description": "Says hello",
        "inputSchema": {
            "type": "object",
            "properties": { "name": { "type": "string", "description": "Whom to greet" } },
            "required": ["name"]
        }
    })
}

fn greet(arguments: &Value) -> (u16, Value) {
    match arguments["name"].as_str() {
        Some(name) => {
            (200, json!({ "content": [{ "type": "text", "text": format!("Hello, {name}!") }] }))
        }
        None => (400, failed("name: give a text")),
    }
}

/// For the model to read, and to correct.
fn failed(message: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": message }], "isError": true })
}

#[cfg(target_arch = "wasm32")]
#[wstd::http_server]
async fn main(
    mut request: wstd::http::Request<wstd::http::Body>,
) -> Result<wstd::http::Response<wstd::http::Body>, wstd::http::Error> {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let body = request.body_mut().contents().await?.to_vec();
    let (status, answer) = answer(method.as_str(), &path, &body);
    Ok(wstd::http::Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(answer.to_string().into())?)
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    println!("{}", answer("POST", "/greet", br#"{"name":"Ada"}"#).1);
}
