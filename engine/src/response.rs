//! `Response`.
//!
//! https://fetch.spec.whatwg.org/#response-class
use crate::bytes::Text;
use crate::convert::Kind;
use crate::error::needs_new;
use crate::headers::{Headers, List, from_wire, list_from};
use crate::incoming::Incoming;
use crate::message_body::{Body, MessageBody};
use crate::message_headers::MessageHeaders;
use crate::wit::wasi::http::types::IncomingResponse;
use rquickjs::{
    Class, Coerced, Ctx, Exception, JsLifetime, Object, Promise, Result, Value,
    class::{Trace, Tracer},
    function::{Opt, This},
};
use std::cell::Cell;

#[derive(JsLifetime)]
#[rquickjs::class]
pub struct Response {
    pub status: u16,
    status_text: String,
    pub url: String,
    kind: &'static str,
    pub is_redirected: Cell<bool>,
    pub headers: MessageHeaders,
    pub body: MessageBody,
}

impl<'js> Trace<'js> for Response {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

const NULL_BODY_STATUS: [u16; 4] = [101, 204, 205, 304];

impl Response {
    pub fn from_host<'js>(ctx: &Ctx<'js>, response: IncomingResponse, url: String) -> Result<Value<'js>> {
        let list = from_wire(response.headers().entries());
        let status = response.status();
        let body = match NULL_BODY_STATUS.contains(&status) {
            true => Body::Null,
            false => response.consume().map_or(Body::Null, |body| Body::Incoming(Incoming::new(body))),
        };
        let made = Response {
            status,
            status_text: String::new(),
            url,
            kind: "basic",
            is_redirected: Cell::new(false),
            headers: MessageHeaders::new(list),
            body: MessageBody::new(body),
        };
        Ok(Class::instance(ctx.clone(), made)?.into_value())
    }

    fn build<'js>(ctx: &Ctx<'js>, body: (MessageBody, Option<String>), init: Option<Object<'js>>) -> Result<Self> {
        let (body, content_type) = body;
        let mut list = List::new();
        let (mut status, mut status_text) = (200, String::new());
        if let Some(init) = init {
            let given: Value = init.get("status")?;
            if !given.is_undefined() {
                status = given.get::<Coerced<i32>>()?.0;
            }
            let text: Value = init.get("statusText")?;
            if !text.is_undefined() {
                status_text = text.get::<Text>()?.0;
            }
            list = list_from(ctx, init.get("headers")?)?;
        }
        let status = u16::try_from(status).ok().filter(|status| (200..600).contains(status));
        let status = status.ok_or_else(|| Exception::throw_range(ctx, "status must be between 200 and 599"))?;
        if status_text.chars().any(|c| (c as u32) > 0xff || (c != '\t' && c.is_ascii_control())) {
            return Err(Exception::throw_type(ctx, "invalid statusText"));
        }
        if NULL_BODY_STATUS.contains(&status) && !body.is_null() {
            return Err(Exception::throw_type(ctx, &format!("a response with status {status} cannot have a body")));
        }
        MessageHeaders::add_content_type(&mut list, content_type);
        Ok(Self::made(status, status_text, list, body))
    }

    fn made(status: u16, status_text: String, list: List, body: MessageBody) -> Self {
        Response {
            status,
            status_text,
            url: String::new(),
            kind: "default",
            is_redirected: Cell::new(false),
            headers: MessageHeaders::new(list),
            body,
        }
    }

    pub fn set_origin(&mut self, url: String) {
        self.url = url;
        self.kind = "basic";
    }

    fn consume<'js>(&self, ctx: &Ctx<'js>, kind: Kind) -> Result<Promise<'js>> {
        let content_type = match kind {
            Kind::Blob | Kind::Form => self.headers.get(ctx, "content-type")?,
            _ => None,
        };
        self.body.consume(ctx, kind, content_type)
    }
}

#[rquickjs::methods(rename_all = "camelCase")]
impl Response {
    #[qjs(constructor)]
    pub fn new<'js>(ctx: Ctx<'js>, this: This<Value<'js>>, body: Opt<Value<'js>>, init: Opt<Value<'js>>) -> Result<Self> {
        needs_new(&ctx, &this.0)?;
        let init = init.0.and_then(Value::into_object);
        let body = match body.0 {
            Some(body) => MessageBody::extract(&ctx, body)?,
            None => Default::default(),
        };
        Self::build(&ctx, body, init)
    }
    #[qjs(static, rename = "json")]
    fn of_json<'js>(ctx: Ctx<'js>, value: Value<'js>, init: Opt<Value<'js>>) -> Result<Self> {
        let text = ctx.json_stringify(value)?;
        let text = text.ok_or_else(|| Exception::throw_type(&ctx, "the value cannot be written as JSON"))?;
        let body = MessageBody::new(Body::Bytes(crate::bytes::text(&ctx, text.as_value())?.into_bytes()));
        Self::build(&ctx, (body, Some("application/json".into())), init.0.and_then(Value::into_object))
    }
    #[qjs(static)]
    fn error() -> Self {
        Response { status: 0, kind: "error", ..Self::made(200, String::new(), List::new(), MessageBody::default()) }
    }
    #[qjs(static)]
    fn redirect(ctx: Ctx<'_>, url: Text, status: Opt<Coerced<i32>>) -> Result<Self> {
        let target = ::url::Url::parse(&url.0);
        let target = target.map_err(|_| Exception::throw_type(&ctx, &format!("invalid URL: {}", url.0)))?;
        let status = status.0.map_or(302, |status| status.0);
        if ![301, 302, 303, 307, 308].contains(&status) {
            return Err(Exception::throw_range(&ctx, "the status of a redirect must be 301, 302, 303, 307 or 308"));
        }
        let list = vec![("location".to_owned(), target.into())];
        Ok(Self::made(status as u16, String::new(), list, MessageBody::default()))
    }
    #[qjs(get, enumerable, configurable)]
    fn status(&self) -> u16 {
        self.status
    }
    #[qjs(get, enumerable, configurable)]
    fn status_text(&self) -> String {
        self.status_text.clone()
    }
    #[qjs(get, enumerable, configurable)]
    fn ok(&self) -> bool {
        (200..300).contains(&self.status)
    }
    #[qjs(get, enumerable, configurable)]
    fn url(&self) -> String {
        self.url.split('#').next().unwrap_or_default().to_owned()
    }
    #[qjs(get, enumerable, configurable)]
    fn redirected(&self) -> bool {
        self.is_redirected.get()
    }
    #[qjs(get, enumerable, configurable, rename = "type")]
    fn kind(&self) -> &'static str {
        self.kind
    }
    #[qjs(get, enumerable, configurable)]
    fn headers<'js>(&self, ctx: Ctx<'js>) -> Result<Class<'js, Headers>> {
        self.headers.object(&ctx)
    }
    #[qjs(get, enumerable, configurable)]
    fn body<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        self.body.stream(&ctx)
    }
    #[qjs(get, enumerable, configurable)]
    fn body_used(&self, ctx: Ctx<'_>) -> Result<bool> {
        self.body.is_disturbed(&ctx)
    }
    fn clone<'js>(&self, ctx: Ctx<'js>) -> Result<Class<'js, Response>> {
        let body = self.body.tee(&ctx)?;
        let copy = Response {
            status: self.status,
            status_text: self.status_text.clone(),
            url: self.url.clone(),
            kind: self.kind,
            is_redirected: self.is_redirected.clone(),
            headers: MessageHeaders::new(self.headers.list(&ctx)?),
            body,
        };
        Class::instance(ctx, copy)
    }
    fn text<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
        self.consume(&ctx, Kind::Text)
    }
    #[qjs(rename = "json")]
    fn read_json<'js>(&self, ctx: Ctx<'js>) -> Result<Promise<'js>> {
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
    Class::<Response>::define(&ctx.globals())?;
    crate::globals::tag::<Response>(ctx, "Response")
}
