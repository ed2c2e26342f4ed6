//! The body of a Request or a Response, and the five ways to read it.
//!
//! https://fetch.spec.whatwg.org/#body-mixin
use crate::bytes::Text;
use crate::convert::{Kind, bytes_of, convert};
use crate::hooks;
use crate::incoming::{Bounds, Collected, Incoming, Progress, Read};
use crate::memory;
use crate::reactor::{self, Waiting};
use rquickjs::{
    Class, Ctx, Exception, Function, Object, Persistent, Promise, Result, TypedArray,
    Value,
    function::This,
};
use std::cell::{Cell, RefCell};

#[derive(Default, Clone)]
pub enum Body {
    #[default]
    Null,
    Bytes(Vec<u8>),
    /// Of the host, and not seen by JavaScript yet.
    Incoming(Incoming),
    /// A ReadableStream.
    Stream(Persistent<Object<'static>>),
}

#[derive(Default)]
pub struct MessageBody {
    pub body: RefCell<Body>,
    /// Read as a whole; a stream that JavaScript read says so itself.
    pub is_used: Cell<bool>,
    /// Kept when the body becomes a stream, so that an abort reaches it.
    incoming: RefCell<Option<Incoming>>,
}

impl MessageBody {
    pub fn new(body: Body) -> Self {
        let incoming = match &body {
            Body::Incoming(incoming) => Some(incoming.clone()),
            _ => None,
        };
        MessageBody { body: RefCell::new(body), is_used: Cell::new(false), incoming: RefCell::new(incoming) }
    }

    /// The body that a `BodyInit` gives, and the content type that it implies.
    pub fn extract<'js>(ctx: &Ctx<'js>, value: Value<'js>) -> Result<(Self, Option<String>)> {
        if value.is_null() || value.is_undefined() {
            return Ok((MessageBody::default(), None));
        }
        if let Some(text) = value.as_string() {
            let bytes = crate::bytes::text(ctx, text.as_value())?.into_bytes();
            return Ok((MessageBody::new(Body::Bytes(bytes)), Some("text/plain;charset=UTF-8".into())));
        }
        if let Some(bytes) = bytes_of(&value)? {
            return Ok((MessageBody::new(Body::Bytes(bytes)), None));
        }
        if value.is_object() {
            // Streams, Blob, FormData and URLSearchParams; `undefined` for anything else.
            let known: Option<Object> = hooks::call(ctx, "encodeBody", (value.clone(),))?;
            if let Some(known) = known {
                let kind: Option<String> = known.get("type")?;
                if let Some(stream) = known.get::<_, Option<Object>>("stream")? {
                    let stream = Persistent::save(ctx, stream);
                    return Ok((MessageBody::new(Body::Stream(stream)), kind));
                }
                let bytes = bytes_of(&known.get("bytes")?)?.unwrap_or_default();
                return Ok((MessageBody::new(Body::Bytes(bytes)), kind));
            }
        }
        let text: Text = value.get()?;
        Ok((MessageBody::new(Body::Bytes(text.0.into_bytes())), Some("text/plain;charset=UTF-8".into())))
    }

    fn copy(&self, ctx: &Ctx<'_>) -> Result<Body> {
        let body = self.body.borrow();
        if let Body::Bytes(bytes) = &*body {
            memory::check(ctx, bytes.len())?;
        }
        Ok(body.clone())
    }

    pub fn is_null(&self) -> bool {
        matches!(*self.body.borrow(), Body::Null)
    }

    fn stream_object<'js>(&self, ctx: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        match self.body.borrow().clone() {
            Body::Stream(stream) => stream.restore(ctx).map(Some),
            _ => Ok(None),
        }
    }

    /// `bodyUsed`.
    pub fn is_disturbed(&self, ctx: &Ctx<'_>) -> Result<bool> {
        if self.is_used.get() {
            return Ok(true);
        }
        match self.stream_object(ctx)? {
            Some(stream) => hooks::call(ctx, "isDisturbed", (stream,)),
            None => Ok(false),
        }
    }

    /// Neither read nor locked.
    pub fn check_usable(&self, ctx: &Ctx<'_>) -> Result<()> {
        let is_locked = match self.stream_object(ctx)? {
            Some(stream) => stream.get("locked")?,
            None => false,
        };
        if is_locked || self.is_disturbed(ctx)? {
            return Err(Exception::throw_type(ctx, "the body is locked or was read already"));
        }
        Ok(())
    }

    /// `body`: the stream, made when it is asked for.
    pub fn stream<'js>(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let body = self.copy(ctx)?;
        let stream: Object = match body {
            Body::Null => return Ok(Value::new_null(ctx.clone())),
            Body::Stream(stream) => return Ok(stream.restore(ctx)?.into_value()),
            // A body that was read as a whole is a stream that is at its end.
            _ if self.is_used.get() => hooks::call(ctx, "usedStream", ())?,
            Body::Bytes(bytes) => {
                hooks::call(ctx, "streamOfBytes", (TypedArray::<u8>::new(ctx.clone(), bytes)?,))?
            }
            Body::Incoming(incoming) => stream_of(ctx, incoming)?,
        };
        self.body.replace(Body::Stream(Persistent::save(ctx, stream.clone())));
        Ok(stream.into_value())
    }

    /// Takes the body to send it.
    ///
    /// Throws a TypeError when it was read or is locked.
    pub fn take(&self, ctx: &Ctx<'_>) -> Result<Body> {
        self.check_usable(ctx)?;
        if self.is_null() {
            return Ok(Body::Null);
        }
        self.is_used.set(true);
        Ok(match &mut *self.body.borrow_mut() {
            Body::Bytes(bytes) => Body::Bytes(std::mem::take(bytes)),
            other => other.clone(),
        })
    }

    /// A second body with the same content, for `clone()`.
    pub fn tee(&self, ctx: &Ctx<'_>) -> Result<MessageBody> {
        self.check_usable(ctx)?;
        let body = self.copy(ctx)?;
        if matches!(body, Body::Null | Body::Bytes(_)) {
            return Ok(MessageBody::new(body));
        }
        let stream = self.stream(ctx)?;
        let (first, second): (Object, Object) = {
            let pair: rquickjs::Array = hooks::call(ctx, "tee", (stream,))?;
            (pair.get(0)?, pair.get(1)?)
        };
        self.body.replace(Body::Stream(Persistent::save(ctx, first)));
        let copy = MessageBody::new(Body::Stream(Persistent::save(ctx, second)));
        copy.incoming.replace(self.incoming.borrow().clone());
        Ok(copy)
    }

    /// `text()` and its kin.
    pub fn consume<'js>(&self, ctx: &Ctx<'js>, kind: Kind, content_type: Option<String>) -> Result<Promise<'js>> {
        let (promise, resolve, reject) = ctx.promise()?;
        match self.start_reading(ctx, kind, content_type, &resolve, &reject) {
            Ok(()) => {}
            Err(error) => reject.call::<_, ()>((hooks::caught(ctx, error),))?,
        }
        Ok(promise)
    }

    fn start_reading<'js>(
        &self,
        ctx: &Ctx<'js>,
        kind: Kind,
        content_type: Option<String>,
        resolve: &Function<'js>,
        reject: &Function<'js>,
    ) -> Result<()> {
        match self.take(ctx)? {
            Body::Null => resolve.call((convert(ctx, Vec::new(), kind, content_type)?,)),
            Body::Bytes(bytes) => {
                resolve.call((convert(ctx, bytes, kind, content_type)?,))
            }
            Body::Incoming(incoming) => {
                let mut collected = Collected { bytes: Vec::new(), kind, bounds: Bounds::NONE };
                // Most bodies are there as a whole when they are asked for.
                if let Progress::Complete = collected.read(ctx, &incoming)? {
                    return resolve.call((convert(ctx, collected.bytes, kind, content_type)?,));
                }
                let waiting = Waiting::Collect { incoming, collected, content_type };
                reactor::add(ctx, waiting, resolve.clone(), reject.clone());
                Ok(())
            }
            Body::Stream(stream) => {
                let all: Promise = hooks::call(ctx, "readAll", (stream.restore(ctx)?,))?;
                let finish = Function::new(ctx.clone(), move |ctx: Ctx<'js>, value: Value<'js>| {
                    convert(&ctx, bytes_of(&value)?.unwrap_or_default(), kind, content_type.clone())
                })?;
                let converted: Promise = all.then()?.call((This(all.clone()), finish))?;
                converted.then()?.call((This(converted.clone()), resolve.clone(), reject.clone()))
            }
        }
    }

    /// `text()` with a limit, and without a promise if the whole body is there.
    ///
    /// Returns `null` for a stream, which JavaScript reads, and `undefined` for a body that is longer than the limit.
    pub fn text_within<'js>(&self, ctx: &Ctx<'js>, bounds: Bounds) -> Result<Value<'js>> {
        if matches!(*self.body.borrow(), Body::Stream(_)) {
            return Ok(Value::new_null(ctx.clone()));
        }
        match self.take(ctx)? {
            Body::Null => convert(ctx, Vec::new(), Kind::Text, None),
            Body::Bytes(bytes) => {
                self.body.replace(Body::Bytes(Vec::new()));
                if bytes.len() > bounds.limit {
                    return Ok(Value::new_undefined(ctx.clone()));
                }
                convert(ctx, bytes, Kind::Text, None)
            }
            Body::Incoming(incoming) => {
                let mut collected = Collected { bytes: Vec::new(), kind: Kind::Text, bounds };
                match collected.read(ctx, &incoming)? {
                    Progress::Complete => convert(ctx, collected.bytes, Kind::Text, None),
                    Progress::TooLong => Ok(Value::new_undefined(ctx.clone())),
                    Progress::Wait => {
                        let (promise, resolve, reject) = ctx.promise()?;
                        let waiting = Waiting::Collect { incoming, collected, content_type: None };
                        reactor::add(ctx, waiting, resolve, reject);
                        Ok(promise.into_value())
                    }
                }
            }
            Body::Stream(_) => Ok(Value::new_null(ctx.clone())),
        }
    }

    /// Ends the body with the reason of an abort.
    pub fn abort<'js>(&self, ctx: &Ctx<'js>, reason: Value<'js>) {
        if let Some(incoming) = &*self.incoming.borrow() {
            incoming.abort(ctx, reason);
        }
    }
}

fn stream_of<'js>(ctx: &Ctx<'js>, incoming: Incoming) -> Result<Object<'js>> {
    let source = Class::instance(ctx.clone(), BodySource { incoming })?;
    hooks::call(ctx, "streamOfSource", (source,))
}

/// The source of a stream of a body that comes from the host.
#[derive(rquickjs::class::Trace, rquickjs::JsLifetime)]
#[rquickjs::class]
pub struct BodySource {
    #[qjs(skip_trace)]
    incoming: Incoming,
}

#[rquickjs::methods]
impl BodySource {
    /// Returns the bytes that are there, `null` at the end, or a promise of either.
    fn pull<'js>(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        match self.incoming.read(&ctx)? {
            Read::Part(part) => Ok(TypedArray::<u8>::new(ctx, part)?.into_value()),
            Read::End => Ok(Value::new_null(ctx)),
            Read::Wait => {
                let (promise, resolve, reject) = ctx.promise()?;
                reactor::add(&ctx, Waiting::Read { incoming: self.incoming.clone() }, resolve, reject);
                Ok(promise.into_value())
            }
        }
    }
    fn close(&self) {
        self.incoming.close();
    }
}
