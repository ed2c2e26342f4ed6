//! What a log and a build show of an exception.
use crate::error::is_error;
use rquickjs::{CaughtError, Ctx, Object, Result, Value};

/// Errors shown below the first, as causes or as errors of an AggregateError.
const MAX_NESTED: usize = 10;

/// Name and message, the stack with line:column of the bundle, and the same of each cause.
pub fn text<'js>(ctx: &Ctx<'js>, error: CaughtError<'js>) -> String {
    let mut out = String::new();
    for part in parts(ctx, error) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(part.relation);
        out.push_str(&part.head);
        let stack = part.stack.trim_end();
        if !stack.is_empty() {
            out.push('\n');
            out.push_str(stack);
        }
    }
    out
}

/// One line for the builder, which maps positions to the author's sources:
/// `{"error":"TypeError: x","stack":"    at f (bundle.js:1:2)\n","causes":[{"relation":"cause","error":…,"stack":…}]}`
pub fn json<'js>(ctx: &Ctx<'js>, error: CaughtError<'js>) -> String {
    let mut parts = parts(ctx, error).into_iter();
    let object = |part: Part| {
        let (head, stack) = (quote(&part.head), quote(&part.stack));
        (format!("\"error\":{head},\"stack\":{stack}"), part.relation)
    };
    let first = parts.next().map(object).unwrap_or_default().0;
    let causes: Vec<String> = parts
        .map(|part| {
            let (fields, relation) = object(part);
            format!(
                "{{\"relation\":\"{}\",{fields}}}",
                relation.trim_matches(['[', ']', ':', ' '])
            )
        })
        .collect();
    format!("{{{first},\"causes\":[{}]}}", causes.join(","))
}

#[derive(Default)]
struct Part {
    relation: &'static str,
    head: String,
    stack: String,
}

fn parts<'js>(ctx: &Ctx<'js>, error: CaughtError<'js>) -> Vec<Part> {
    let value = match error {
        CaughtError::Error(error) => {
            return vec![Part {
                head: error.to_string(),
                ..Part::default()
            }];
        }
        CaughtError::Exception(exception) => exception.into_value(),
        CaughtError::Value(value) => value,
    };
    let mut out = Vec::new();
    let mut open = vec![("", value)];
    while let Some((relation, value)) = open.pop() {
        out.push(part(ctx, relation, &value));
        if out.len() + open.len() > MAX_NESTED {
            continue;
        }
        let Some(object) = value.as_object().filter(|object| is_error(object)) else {
            continue;
        };
        if let Some(list) = own(ctx, object, "errors").and_then(|errors| errors.into_array()) {
            let room = MAX_NESTED.min(list.len());
            let items = (0..room)
                .rev()
                .filter_map(|at| quietly(ctx, list.get::<Value>(at)));
            open.extend(items.map(|item| ("[error]: ", item)));
        }
        open.extend(own(ctx, object, "cause").map(|cause| ("[cause]: ", cause)));
    }
    out
}

fn part<'js>(ctx: &Ctx<'js>, relation: &'static str, value: &Value<'js>) -> Part {
    let Some(object) = value.as_object().filter(|object| is_error(object)) else {
        return Part {
            relation,
            head: format!("Uncaught {}", shown(ctx, value)),
            stack: String::new(),
        };
    };
    let read = |key| {
        quietly(ctx, object.get::<_, Value>(key))
            .map(|v| as_text(&v))
            .unwrap_or_default()
    };
    let (name, message) = (read("name"), read("message"));
    let head = match (name.as_str(), message.as_str()) {
        ("", _) => message,
        (_, "") => name,
        _ => format!("{name}: {message}"),
    };
    Part {
        relation,
        head,
        stack: read("stack"),
    }
}

/// Without calling a conversion of the author.
fn as_text(value: &Value<'_>) -> String {
    value
        .as_string()
        .and_then(|text| text.to_string().ok())
        .unwrap_or_default()
}

fn shown<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> String {
    if value.is_string() {
        return as_text(value);
    }
    let json = quietly(ctx, ctx.json_stringify(value.clone())).flatten();
    let json = json.and_then(|text| text.to_string().ok());
    json.unwrap_or_else(|| value.type_name().to_string())
}

/// An own property that is not a getter's absence: inherited ones belong to no error in particular.
fn own<'js>(ctx: &Ctx<'js>, object: &Object<'js>, key: &str) -> Option<Value<'js>> {
    let found = quietly(ctx, object.get::<_, Value>(key))?;
    (!found.is_undefined()).then_some(found)
}

/// A getter of the author may throw: what it throws must not hide the error that is shown.
fn quietly<T>(ctx: &Ctx<'_>, outcome: Result<T>) -> Option<T> {
    if outcome.is_err() {
        ctx.catch();
    }
    outcome.ok()
}

pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c < ' ' || c == '\u{2028}' || c == '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
