//! A request as the host hands it over.
use super::options::Options;
use super::Request;
use crate::headers::{from_wire, lookup};
use crate::incoming::Incoming;
use crate::message_body::{Body, MessageBody};
use crate::message_headers::MessageHeaders;
use crate::wit::wasi::http::types::{IncomingRequest, Method, Scheme};
use std::cell::RefCell;

impl Request {
    pub fn from_host(request: IncomingRequest) -> Self {
        let method = method_name(request.method());
        let list = from_wire(request.headers().entries());
        let path = request.path_with_query().unwrap_or_else(|| "/".into());
        let host = request.authority().or_else(|| lookup(&list, "host"));
        let host = host.unwrap_or_else(|| "localhost".into());
        let scheme = match request.scheme() {
            Some(Scheme::Https) => "https",
            _ => "http",
        };
        let url = format!("{scheme}://{host}{path}");
        let url = ::url::Url::parse(&url).map_or(url, Into::into);
        let body = match method.as_str() {
            "GET" | "HEAD" => Body::Null,
            _ => request.consume().map_or(Body::Null, |body| Body::Incoming(Incoming::new(body))),
        };
        Request {
            method,
            url,
            headers: MessageHeaders::new(list),
            body: MessageBody::new(body),
            options: Options::default(),
            signal: RefCell::default(),
            own_signal: RefCell::default(),
        }
    }
}

fn method_name(method: Method) -> String {
    let name = match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(name) => return name,
    };
    name.into()
}
