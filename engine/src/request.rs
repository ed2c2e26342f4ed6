//! `Request`.
//!
//! https://fetch.spec.whatwg.org/#request-class
mod from_host;
mod options;

use crate::bytes::Text;
use crate::convert::Kind;
use crate::error::needs_new;
use crate::headers::{Headers, list_from};
use crate::hooks;
use crate::message_body::MessageBody;
use crate::message_headers::MessageHeaders;
use rquickjs::{
    Class, Ctx, Exception, JsLifetime, Object, Persistent, Promise, Result, Value,
    class::{Trace, Tracer},
    function::{Opt, This},
};
use options::{Name, Options};
use std::cell::RefCell;

#[derive(JsLifetime)]
#[rquickjs::class]
pub struct Request {
    pub method: String,
    pub url: String,
    pub headers: MessageHeaders,
    pub body: MessageBody,
    options: Options,
    /// What was given: `fetch` listens to it.
    signal: RefCell<Option<Persistent<Object<'static>>>>,
    /// `signal`: follows the one that was given.
    own_signal: RefCell<Option<Persistent<Object<'static>>>>,
}

impl<'js> Trace<'js> for Request {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

/// The options of an `init` that are given.
fn option<'js>(init: &Option<Object<'js>>, name: &str) -> Result<Option<Value<'js>>> {
    let Some(init) = init else { return Ok(None) };
    let value: Value = init.get(name)?;
    Ok((!value.is_undefined()).then_some(value))
}

/// The upper case form of the methods that have one.
///
/// https://fetch.spec.whatwg.org/#concept-method-normalize
fn normalized(ctx: &Ctx<'_>, name: String) -> Result<String> {
    let is_token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    let upper = name.to_ascii_uppercase();
    if name.is_empty() || !name.bytes().all(is_token) || ["CONNECT", "TRACE", "TRACK"].contains(&upper.as_str()) {
        return Err(Exception::throw_type(ctx, &format!("invalid method: {name:?}")));
    }
    let known = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"].contains(&upper.as_str());
    Ok(if known { upper } else { name })
}

/// The serialised address.
fn absolute<'js>(ctx: &Ctx<'js>, text: &str) -> Result<String> {
    crate::memory::check(ctx, 6 * text.len())?;
    let parsed = ::url::Url::parse(text);
    let url = parsed.map_err(|_| Exception::throw_type(ctx, &format!("invalid URL: {text}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Exception::throw_type(ctx, "the URL of a request must not contain credentials"));
    }
    Ok(url.into())
}

impl Request {
    pub fn build<'js>(ctx: &Ctx<'js>, input: Value<'js>, init: Option<Object<'js>>) -> Result<Self> {
        let base = Class::<Request>::from_value(&input).ok();
        let url = match &base {
            Some(request) => request.borrow().url.clone(),
            None => absolute(ctx, &input.get::<Text>()?.0)?,
        };
        let method = match (option(&init, "method")?, &base) {
            (Some(name), _) => normalized(ctx, name.get::<Text>()?.0)?,
            (None, Some(request)) => request.borrow().method.clone(),
            _ => "GET".into(),
        };
        let mut list = match (option(&init, "headers")?, &base) {
            (Some(given), _) => list_from(ctx, given)?,
            (None, Some(request)) => request.borrow().headers.list(ctx)?,
            _ => Vec::new(),
        };
        let mut options = base.as_ref().map_or_else(Options::default, |request| request.borrow().options.clone());
        options.read(ctx, &init)?;
        if options.get(Name::Mode) == "no-cors" && !["GET", "HEAD", "POST"].contains(&method.as_str()) {
            return Err(Exception::throw_type(ctx, "the mode no-cors needs the method GET, HEAD or POST"));
        }
        let signal = match (option(&init, "signal")?, &base) {
            (Some(signal), _) if signal.is_null() => None,
            (Some(signal), _) => {
                if !hooks::call::<_, bool>(ctx, "isSignal", (signal.clone(),))? {
                    return Err(Exception::throw_type(ctx, "signal must be an AbortSignal"));
                }
                signal.into_object().map(|signal| Persistent::save(ctx, signal))
            }
            (None, Some(request)) => request.borrow().signal.borrow().clone(),
            _ => None,
        };
        let given = option(&init, "body")?.filter(|body| !body.is_null());
        let has_body = given.is_some() || base.as_ref().is_some_and(|request| !request.borrow().body.is_null());
        if has_body && ["GET", "HEAD"].contains(&method.as_str()) {
            return Err(Exception::throw_type(ctx, "a GET or HEAD request cannot have a body"));
        }
        let body = match (given, &base) {
            (Some(given), _) => {
                let (body, kind) = MessageBody::extract(ctx, given)?;
                MessageHeaders::add_content_type(&mut list, kind);
                body
            }
            (None, Some(request)) => {
                let request = request.borrow();
                MessageBody::new(request.body.take(ctx)?)
            }
            _ => MessageBody::default(),
        };
        Ok(Request {
            method,
            url,
            headers: MessageHeaders::new(list),
            body,
            options,
            signal: RefCell::new(signal),
            own_signal: RefCell::default(),
        })
    }

    fn consume<'js>(&self, ctx: &Ctx<'js>, kind: Kind) -> Result<Promise<'js>> {
        let content_type = match kind {
            Kind::Blob | Kind::Form => self.headers.get(ctx, "content-type")?,
            _ => None,
        };
        self.body.consume(ctx, kind, content_type)
    }

    /// The signal that was given, if there is one.
    pub fn given_signal<'js>(&self, ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        self.signal.borrow().clone().map(|signal| signal.restore(ctx)).transpose()
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl Request {
    #[qjs(constructor)]
    pub fn new<'js>(ctx: Ctx<'js>, this: This<Value<'js>>, input: Value<'js>, init: Opt<Value<'js>>) -> Result<Self> {
        needs_new(&ctx, &this.0)?;
        Self::build(&ctx, input, init.0.and_then(Value::into_object))
    }
    #[qjs(get, enumerable, configurable)]
    fn method(&self) -> String {
        self.method.clone()
    }
    #[qjs(get, enumerable, configurable)]
    fn url(&self) -> String {
        self.url.clone()
    }
    #[qjs(get, enumerable, configurable)]
    fn headers<'js>(&self, ctx: Ctx<'js>) -> Result<Class<'js, Headers>> {
        self.headers.object(&ctx)
    }
    #[qjs(get, enumerable, configurable)]
    fn mode(&self) -> String {
        self.options.get(Name::Mode).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn credentials(&self) -> String {
        self.options.get(Name::Credentials).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn cache(&self) -> String {
        self.options.get(Name::Cache).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn redirect(&self) -> String {
        self.options.get(Name::Redirect).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn referrer_policy(&self) -> String {
        self.options.get(Name::ReferrerPolicy).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn referrer(&self) -> String {
        self.options.get(Name::Referrer).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn integrity(&self) -> String {
        self.options.get(Name::Integrity).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn duplex(&self) -> String {
        self.options.get(Name::Duplex).to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn keepalive(&self) -> bool {
        self.options.keepalive
    }
    #[qjs(get, enumerable, configurable)]
    fn destination(&self) -> &'static str {
        ""
    }
    #[qjs(get, enumerable, configurable)]
    fn is_reload_navigation(&self) -> bool {
        false
    }
    #[qjs(get, enumerable, configurable)]
    fn is_history_navigation(&self) -> bool {
        false
    }
    #[qjs(get, enumerable, configurable)]
    fn signal<'js>(&self, ctx: Ctx<'js>) -> Result<Object<'js>> {
        if let Some(signal) = self.own_signal.borrow().clone() {
            return signal.restore(&ctx);
        }
        let signal: Object = hooks::call(&ctx, "newSignal", (self.given_signal(&ctx)?,))?;
        self.own_signal.replace(Some(Persistent::save(&ctx, signal.clone())));
        Ok(signal)
    }
    #[qjs(get, enumerable, configurable)]
    fn body<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        self.body.stream(&ctx)
    }
    #[qjs(get, enumerable, configurable)]
    fn body_used(&self, ctx: Ctx<'_>) -> Result<bool> {
        self.body.is_disturbed(&ctx)
    }
    fn clone<'js>(&self, ctx: Ctx<'js>) -> Result<Class<'js, Request>> {
        let body = self.body.tee(&ctx)?;
        let copy = Request {
            method: self.method.clone(),
            url: self.url.clone(),
            headers: MessageHeaders::new(self.headers.list(&ctx)?),
            body,
            options: self.options.clone(),
            signal: RefCell::new(self.signal.borrow().clone()),
            own_signal: RefCell::default(),
        };
        Class::instance(ctx, copy)
    }
    fn text<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Text)
    }
    fn json<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Json)
    }
    fn bytes<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Bytes)
    }
    fn array_buffer<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Buffer)
    }
    fn blob<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Blob)
    }
    fn form_data<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Form)
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    Class::<Request>::define(&ctx.globals())?;
    crate::globals::tag::<Request>(ctx, "Request")
}
