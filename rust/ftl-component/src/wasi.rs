//! The handler of `wasi:http`. It is exported by this crate, so a component needs nothing but its tools.

use crate::registry::tools;
use crate::serve::{accepts_lines, serve, Reply, Request, LINES};
use serde_json::Value;
use std::cell::RefCell;
use wasip2::exports::http::incoming_handler::Guest;
use wasip2::http::types::{
    Fields, IncomingRequest, Method, OutgoingBody, OutgoingResponse, ResponseOutparam,
};
use wasip2::io::streams::{OutputStream, StreamError};

/// Bytes that `blocking-write-and-flush` takes at once.
const WRITE_SIZE: usize = 4096;
const READ_SIZE: u64 = 65_536;

struct Component;

wasip2::http::proxy::export!(Component);

impl Guest for Component {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        let method = method_name(&request.method());
        let address = request.path_with_query().unwrap_or_default();
        let path = address.split('?').next().unwrap_or("/");
        let headers = request.headers();
        let header = |name: &str| {
            let [value] = <[_; 1]>::try_from(headers.get(name)).ok()?;
            String::from_utf8(value).ok()
        };
        let body = read_body(&request);
        let request = Request { method: &method, path, header: &header, body: &body };

        // Begun by the first line a tool sends: an answer without news is one piece of JSON.
        let begun: RefCell<(Option<ResponseOutparam>, Option<Sending>)> =
            RefCell::new((Some(out), None));
        let send = |line: &Value| {
            let (out, sending) = &mut *begun.borrow_mut();
            if let Some(out) = out.take() {
                *sending = Some(Sending::begin(out, 200, &[("content-type", LINES)]));
            }
            if let Some(sending) = sending {
                sending.write(format!("{line}\n").as_bytes());
            }
        };
        let listens = accepts_lines(header("accept").as_deref());
        let sink = listens.then(|| -> Box<dyn FnMut(&Value) + '_> { Box::new(send) });
        let reply = serve(&tools(), &request, sink);

        match begun.into_inner() {
            (Some(out), _) => answer(out, &reply, method == "HEAD"),
            (None, Some(sending)) => {
                sending.write(format!("{}\n", reply.last_line()).as_bytes());
                sending.finish();
            }
            (None, None) => unreachable!("a stream that was begun is there"),
        }
    }
}

fn answer(out: ResponseOutparam, reply: &Reply, head_only: bool) {
    let body = reply.body.to_string();
    let length = body.len().to_string();
    let mut headers = vec![("content-type", "application/json"), ("content-length", &length)];
    headers.extend(reply.allow.map(|allow| ("allow", allow)));
    if head_only {
        headers.retain(|(name, _)| *name != "content-length");
    }
    let sending = Sending::begin(out, reply.status, &headers);
    if !head_only {
        sending.write(body.as_bytes());
    }
    sending.finish();
}

struct Sending {
    body: OutgoingBody,
    stream: OutputStream,
}

impl Sending {
    fn begin(out: ResponseOutparam, status: u16, headers: &[(&str, &str)]) -> Self {
        let fields = Fields::new();
        for (name, value) in headers {
            fields.append(name, value.as_bytes()).expect("our own headers are well formed");
        }
        let response = OutgoingResponse::new(fields);
        response.set_status_code(status).expect("our own statuses are valid");
        let body = response.body().expect("asked for once");
        ResponseOutparam::set(out, Ok(response));
        let stream = body.write().expect("asked for once");
        Self { body, stream }
    }

    /// A reader that has gone is nobody to tell.
    fn write(&self, bytes: &[u8]) {
        for piece in bytes.chunks(WRITE_SIZE) {
            if self.stream.blocking_write_and_flush(piece).is_err() {
                return;
            }
        }
    }

    fn finish(self) {
        drop(self.stream);
        // Fails when the reader has gone.
        let _ = OutgoingBody::finish(self.body, None);
    }
}

fn read_body(request: &IncomingRequest) -> Vec<u8> {
    let mut bytes = Vec::new();
    let Ok(body) = request.consume() else { return bytes };
    let Ok(stream) = body.stream() else { return bytes };
    loop {
        match stream.blocking_read(READ_SIZE) {
            Ok(piece) => bytes.extend(piece),
            // What broke off is no JSON, and is told so.
            Err(StreamError::Closed | StreamError::LastOperationFailed(_)) => return bytes,
        }
    }
}

fn method_name(method: &Method) -> String {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(name) => name,
    }
    .to_owned()
}
