//! The fetch event: one request of the host, and the response to it.
use crate::{errors, limits};
use crate::fetch::fields;
use crate::headers::wire;
use crate::hooks;
use crate::message_body::Body;
use crate::outgoing::{BodyWriter, Outgoing, Write};
use crate::reactor::{self, Waiting, drain, run_until};
use crate::request::Request;
use crate::response::Response;
use crate::wit::wasi::http::types::{IncomingRequest, OutgoingResponse, ResponseOutparam};
use rquickjs::{
    CatchResultExt, Class, Coerced, Ctx, Exception, Function, JsLifetime, Object, Persistent,
    Promise, Result, Value,
    class::Trace,
};
use std::cell::RefCell;

struct Global(RefCell<Option<Persistent<Function<'static>>>>);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static HANDLER: Global = Global(RefCell::new(None));

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct FetchEvent<'js> {
    request: Class<'js, Request>,
    #[qjs(skip_trace)]
    response: RefCell<Option<Value<'js>>>,
    #[qjs(skip_trace)]
    pending: RefCell<Vec<Promise<'js>>>,
}

#[rquickjs::methods(rename_all = "camelCase")]
impl<'js> FetchEvent<'js> {
    #[qjs(get, enumerable)]
    fn request(&self) -> Class<'js, Request> {
        self.request.clone()
    }
    #[qjs(get, enumerable, rename = "type")]
    fn kind(&self) -> &'static str {
        "fetch"
    }
    /// The first bytes of a body are written before the head is sent, so that a host sends both in one piece. For
    /// `platform/src/spin-serve.ts`.
    #[qjs(get, enumerable)]
    fn writes_body_first(&self) -> bool {
        true
    }
    /// Throws an error when a response was given already.
    fn respond_with(&self, ctx: Ctx<'js>, response: Value<'js>) -> Result<()> {
        if self.response.borrow().is_some() {
            return Err(Exception::throw_message(&ctx, "respondWith was called twice"));
        }
        self.response.replace(Some(response));
        Ok(())
    }
    fn wait_until(&self, promise: Value<'js>) {
        self.pending.borrow_mut().extend(promise.into_promise());
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    Class::<FetchEvent>::define(&globals)?;
    globals.set("addEventListener", Function::new(ctx.clone(), add_event_listener)?.with_name("addEventListener")?)
}

fn add_event_listener<'js>(kind: Coerced<String>, listener: Function<'js>) {
    if kind.0 == "fetch" {
        let ctx = listener.ctx().clone();
        HANDLER.0.replace(Some(Persistent::save(&ctx, listener)));
    }
}

pub fn serve(ctx: &Ctx<'_>, request: IncomingRequest, out: ResponseOutparam) {
    let mut out = Some(out);
    limits::begin_request();
    if let Err(error) = answer(ctx, request, &mut out).catch(ctx) {
        // The log says already why it was ended.
        if !limits::has_ended() {
            eprintln!("Uncaught {}", errors::text(ctx, error));
        }
        if let Some(out) = out.take() {
            internal_error(out);
        }
    }
}

fn answer<'js>(ctx: &Ctx<'js>, request: IncomingRequest, out: &mut Option<ResponseOutparam>) -> Result<()> {
    let handler = HANDLER.0.borrow().clone();
    let handler = handler.ok_or_else(|| Exception::throw_message(ctx, "the component has no fetch event listener"))?;
    let request = Class::instance(ctx.clone(), Request::from_host(request))?;
    let event = FetchEvent { request, response: RefCell::default(), pending: RefCell::default() };
    let event = Class::instance(ctx.clone(), event)?;
    let thrown = handler.restore(ctx)?.call::<_, Value>((event.clone(),)).err();
    let given = event.borrow().response.borrow().clone();
    let value = match (given, thrown) {
        (_, Some(error)) => return Err(error),
        (None, None) => return Err(Exception::throw_message(ctx, "the fetch event listener did not call respondWith")),
        (Some(given), None) => match given.clone().into_promise() {
            None => given,
            Some(promise) => run_until(ctx, &promise)?,
        },
    };
    let response = Class::<Response>::from_value(&value)
        .map_err(|_| Exception::throw_type(ctx, "respondWith needs a Response"))?;
    let (status, list, body) = {
        let response = response.borrow();
        (response.status, response.headers.list(ctx)?, response.body.take(ctx)?)
    };
    send(ctx, out, status, list, body)?;
    // Only what the author asked for keeps the instance after the response.
    drain(ctx);
    loop {
        let next = event.borrow().pending.borrow_mut().pop();
        let Some(promise) = next else { return Ok(()) };
        if let Err(error) = run_until(ctx, &promise).catch(ctx) {
            if limits::has_ended() {
                return Ok(());
            }
            eprintln!("Uncaught (in promise) {}", errors::text(ctx, error));
        }
    }
}

/// A response whose head is not sent yet.
struct Head {
    response: OutgoingResponse,
    out: ResponseOutparam,
}

impl Head {
    fn send(self) {
        ResponseOutparam::set(self.out, Ok(self.response));
    }
}

fn send<'js>(
    ctx: &Ctx<'js>,
    out: &mut Option<ResponseOutparam>,
    status: u16,
    mut list: Vec<(String, String)>,
    body: Body,
) -> Result<()> {
    if let Body::Bytes(bytes) = &body
        && !list.iter().any(|(name, _)| name == "content-length")
    {
        list.push(("content-length".into(), bytes.len().to_string()));
    }
    let response = OutgoingResponse::new(fields(wire(ctx, list)?));
    response.set_status_code(status).map_err(|()| Exception::throw_type(ctx, "the status cannot be sent"))?;
    let writer = response.body().map_err(|()| Exception::throw_type(ctx, "the body was taken"))?;
    let writer = Outgoing::new(writer);
    let Some(out) = out.take() else { return Ok(()) };
    let head = Head { response, out };
    // The first bytes are written before the head is sent, so that both leave in one piece.
    match body {
        Body::Null => {
            writer.finish();
            head.send();
            Ok(())
        }
        Body::Bytes(bytes) => {
            let written = writer.write(bytes);
            head.send();
            if matches!(written, Write::Wait) {
                let done = reactor::background(ctx, Waiting::Write { outgoing: writer.clone() })?;
                run_until(ctx, &done)?;
            }
            writer.finish();
            Ok(())
        }
        Body::Incoming(incoming) => {
            let first = reactor::pipe(ctx, &incoming, &writer);
            head.send();
            if let Some(is_full) = first? {
                let done = reactor::background(ctx, Waiting::Pipe { incoming, outgoing: writer, is_full })?;
                run_until(ctx, &done)?;
            }
            Ok(())
        }
        Body::Stream(stream) => {
            let writer = Class::instance(ctx.clone(), BodyWriter { outgoing: writer })?;
            let stream: Object = stream.restore(ctx)?;
            let pumped: Promise = hooks::call(ctx, "pump", (stream, writer))?;
            // Runs up to where the stream waits for something.
            drain(ctx);
            head.send();
            run_until(ctx, &pumped).map(drop)
        }
    }
}

fn internal_error(out: ResponseOutparam) {
    let response = OutgoingResponse::new(fields(Vec::new()));
    let _ = response.set_status_code(500);
    if let Ok(body) = response.body() {
        Outgoing::new(body).finish();
    }
    ResponseOutparam::set(out, Ok(response));
}
