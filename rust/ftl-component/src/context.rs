use crate::caller::{caller_of, Caller};
use serde::Serialize;
use serde_json::{json, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

/// Where a line goes on its way to the caller.
pub(crate) type Sink<'a> = Box<dyn FnMut(&Value) + 'a>;

/// What a tool knows about its call. A tool takes it as `&Context`, beside its input or alone.
pub struct Context<'a> {
    request_id: String,
    deadline: Duration,
    caller: Option<Caller>,
    trace: BTreeMap<String, String>,
    log_from: Option<Level>,
    sink: Option<RefCell<Sink<'a>>>,
}

/// How severe a log line is: RFC 5424, the least severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

const LEVELS: [(&str, Level); 8] = [
    ("debug", Level::Debug),
    ("info", Level::Info),
    ("notice", Level::Notice),
    ("warning", Level::Warning),
    ("error", Level::Error),
    ("critical", Level::Critical),
    ("alert", Level::Alert),
    ("emergency", Level::Emergency),
];

const DEFAULT_DEADLINE_MS: u64 = 30_000;

impl<'a> Context<'a> {
    /// `header` gives the value of a header by its name in lower case; `sink` is there when the caller takes lines.
    pub(crate) fn new(header: impl Fn(&str) -> Option<String>, sink: Option<Sink<'a>>) -> Self {
        let deadline = header("ftl-deadline").and_then(|text| text.parse().ok());
        let level = header("ftl-log-level");
        Self {
            request_id: header("ftl-request-id").unwrap_or_default(),
            deadline: Duration::from_millis(deadline.unwrap_or(DEFAULT_DEADLINE_MS)),
            caller: caller_of(header("ftl-principal"), header("ftl-caller")),
            trace: ["traceparent", "tracestate", "baggage"]
                .into_iter()
                .filter_map(|name| header(name).map(|value| (name.to_owned(), value)))
                .collect(),
            log_from: LEVELS
                .iter()
                .find(|(name, _)| Some(*name) == level.as_deref())
                .map(|(_, level)| *level),
            sink: sink.map(RefCell::new),
        }
    }

    /// Id of the client's request, for logs.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// How long the caller will wait, counted from the call. 30 seconds unless it said something else.
    pub fn deadline(&self) -> Duration {
        self.deadline
    }

    /// The authenticated caller; `None` where no authentication is configured.
    pub fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// Unique name of the caller.
    pub fn principal(&self) -> Option<&str> {
        self.caller.as_ref().map(|caller| caller.id.as_str())
    }

    /// W3C trace context of the call by the names of its headers, to hand on.
    pub fn trace(&self) -> &BTreeMap<String, String> {
        &self.trace
    }

    /// Whether somebody is shown progress and log lines.
    pub fn listens(&self) -> bool {
        self.sink.is_some()
    }

    /// Tells the caller at once how the tool is getting on. `value` must grow from call to call.
    pub fn progress(&self, value: f64, total: Option<f64>, message: &str) {
        let mut line = json!({ "type": "status", "progress": value, "message": message });
        if let Some(total) = total {
            line["total"] = json!(total);
        }
        self.send(&line);
    }

    /// A line for whoever wants the log of this call. Nothing secret belongs there.
    pub fn log(&self, level: Level, data: impl Serialize) {
        if self.log_from.is_some_and(|least| level >= least) {
            if let Ok(data) = serde_json::to_value(data) {
                self.send(&json!({ "type": "log", "level": level, "data": data }));
            }
        }
    }

    fn send(&self, line: &Value) {
        if let Some(sink) = &self.sink {
            (sink.borrow_mut())(line);
        }
    }
}
