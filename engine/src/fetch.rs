//! What `fetch` of the JavaScript part is made of: one request to the host, without redirects.
use crate::headers::wire;
use crate::incoming::Bounds;
use crate::message_body::Body;
use crate::outgoing::{BodyWriter, Outgoing, Write};
use crate::reactor::{self, Waiting};
use crate::request::Request;
use crate::response::Response;
use crate::wit::wasi::http::{
    outgoing_handler,
    types::{ErrorCode, Fields, Method, OutgoingRequest, Scheme},
};
use rquickjs::{Array, Class, Ctx, Error, Exception, Function, Object, Result, Value};

/// What `js/fetch.js` is made of.
pub fn native<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    Class::<BodyWriter>::define(&Object::new(ctx.clone())?)?;
    Class::<crate::message_body::BodySource>::define(&Object::new(ctx.clone())?)?;
    let native = Object::new(ctx.clone())?;
    native.set("send", Function::new(ctx.clone(), send)?)?;
    native.set("cancel", Function::new(ctx.clone(), reactor::cancel_fetch)?)?;
    native.set("abortBody", Function::new(ctx.clone(), abort_body)?)?;
    native.set("dropBody", Function::new(ctx.clone(), drop_body)?)?;
    native.set("markFetched", Function::new(ctx.clone(), mark_fetched)?)?;
    native.set("markRedirected", Function::new(ctx.clone(), mark_redirected)?)?;
    native.set("hasBody", Function::new(ctx.clone(), has_body)?)?;
    native.set("textWithin", Function::new(ctx.clone(), text_within)?)?;
    native.set("signalOf", Function::new(ctx.clone(), signal_of)?)?;
    Ok(native)
}

/// A header that WASI reserves is left out, as browsers do.
pub fn fields(list: Vec<(String, Vec<u8>)>) -> Fields {
    if let Ok(fields) = Fields::from_list(&list) {
        return fields;
    }
    let fields = Fields::new();
    for (name, value) in &list {
        let _ = fields.append(name, value);
    }
    fields
}

/// Sends the request. Returns a promise of its response, an id to cancel it, and a writer when the body is a stream.
fn send<'js>(ctx: Ctx<'js>, request: Class<'js, Request>) -> Result<Array<'js>> {
    crate::globals::check_request(&ctx, "fetch")?;
    let (outgoing, url, body) = {
        let request = request.borrow();
        (prepare(&ctx, &request)?, request.url.clone(), request.body.take(&ctx)?)
    };
    let writer = Outgoing::new(outgoing.body().map_err(|()| Exception::throw_type(&ctx, "the request has no body"))?);
    // What is there as a whole is written before the request leaves: a component that is called finds it when it begins,
    // and need not wait for it.
    let mut is_full = false;
    let body = match body {
        Body::Bytes(bytes) => {
            is_full = matches!(writer.write(bytes), Write::Wait);
            Body::Null
        }
        other => other,
    };
    if matches!(body, Body::Null) && !is_full {
        writer.finish();
    }
    let future = outgoing_handler::handle(outgoing, None).map_err(|code| failed(&ctx, &url, &code))?;
    let id = reactor::next_id();
    let (promise, resolve, reject) = ctx.promise()?;
    reactor::add(&ctx, Waiting::Fetch { id, future, url }, resolve, reject);
    let answer = Array::new(ctx.clone())?;
    answer.set(0, promise)?;
    answer.set(1, id)?;
    match body {
        Body::Null | Body::Bytes(_) => {
            if is_full {
                let waiting = Waiting::Write { outgoing: writer.clone() };
                let (_, _, reject) = ctx.promise()?;
                let finish = Function::new(ctx.clone(), move || writer.finish())?;
                reactor::add(&ctx, waiting, finish, reject);
            }
        }
        Body::Incoming(incoming) => {
            reactor::background(&ctx, Waiting::Pipe { incoming, outgoing: writer, is_full: false })?;
        }
        Body::Stream(stream) => {
            answer.set(2, Class::instance(ctx.clone(), BodyWriter { outgoing: writer })?)?;
            answer.set(3, stream.restore(&ctx)?)?;
        }
    }
    Ok(answer)
}

/// No server takes a longer one, and a host may end an instance that sends megabytes of it.
const MOST_URL: usize = 128 << 10;

fn prepare(ctx: &Ctx<'_>, request: &Request) -> Result<OutgoingRequest> {
    let bad = |text: &str| Exception::throw_type(ctx, text);
    if request.url.len() > MOST_URL {
        return Err(bad(&format!("the URL has more than {MOST_URL} characters")));
    }
    let url = ::url::Url::parse(&request.url).map_err(|_| bad("invalid URL"))?;
    let scheme = match url.scheme() {
        "https" => Scheme::Https,
        "http" => Scheme::Http,
        other => return Err(bad(&format!("fetch supports http and https, not {other}"))),
    };
    let mut list = request.headers.list(ctx)?;
    if let Body::Bytes(bytes) = &*request.body.body.borrow()
        && !list.iter().any(|(name, _)| name == "content-length")
    {
        list.push(("content-length".into(), bytes.len().to_string()));
    }
    let outgoing = OutgoingRequest::new(fields(wire(ctx, list)?));
    let method = match request.method.as_str() {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "OPTIONS" => Method::Options,
        "PATCH" => Method::Patch,
        other => Method::Other(other.into()),
    };
    let path = &url[::url::Position::BeforePath..::url::Position::AfterQuery];
    outgoing
        .set_method(&method)
        .and_then(|()| outgoing.set_scheme(Some(&scheme)))
        .and_then(|()| outgoing.set_authority(Some(url.authority())))
        .and_then(|()| outgoing.set_path_with_query(Some(path)))
        .map_err(|()| bad("invalid URL"))?;
    Ok(outgoing)
}

/// The error of a request that failed. Its `cause` has the code of the host.
pub fn failed(ctx: &Ctx<'_>, url: &str, code: &ErrorCode) -> Error {
    let origin = ::url::Url::parse(url).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization());
    Exception::throw_type(ctx, &format!("fetch failed: {origin}: {code:?}"))
}

fn abort_body<'js>(ctx: Ctx<'js>, response: Class<'js, Response>, reason: Value<'js>) {
    response.borrow().body.abort(&ctx, reason);
}

/// For the response to a HEAD request, which has no body.
fn drop_body(response: Class<'_, Response>) {
    response.borrow().body.body.replace(Body::Null);
}

/// Makes a response of JavaScript one that `fetch` returns.
fn mark_fetched(response: Class<'_, Response>, url: String) {
    response.borrow_mut().set_origin(url);
}

fn mark_redirected(response: Class<'_, Response>) {
    response.borrow().is_redirected.set(true);
}

/// See [`MessageBody::text_within`]. A number that is no size counts as none.
fn text_within<'js>(ctx: Ctx<'js>, message: Value<'js>, limit: f64, announced: f64) -> Result<Value<'js>> {
    let bounds = Bounds { limit: limit as usize, announced: if announced > 0.0 { announced as usize } else { usize::MAX } };
    if let Ok(request) = Class::<Request>::from_value(&message) {
        return request.borrow().body.text_within(&ctx, bounds);
    }
    Class::<Response>::from_value(&message)?.borrow().body.text_within(&ctx, bounds)
}

fn has_body(request: Class<'_, Request>) -> bool {
    !request.borrow().body.is_null()
}

fn signal_of<'js>(ctx: Ctx<'js>, request: Class<'js, Request>) -> Result<Option<Object<'js>>> {
    request.borrow().given_signal(&ctx)
}
