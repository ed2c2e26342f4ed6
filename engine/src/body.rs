//! Bodies: bytes that are there, or a stream of the host that is read when somebody asks.
use crate::reactor;
use crate::wit::wasi::{http::types::IncomingBody, io::streams::{InputStream, StreamError}};
use rquickjs::{ArrayBuffer, Ctx, Exception, Object, Promise, Result, String as JsString, TypedArray, Value};
use std::cell::RefCell;

pub struct Incoming {
    pub stream: InputStream,
    // Dropped after its stream.
    _body: IncomingBody,
}

#[derive(Default)]
pub enum Body {
    #[default]
    Empty,
    Bytes(Vec<u8>),
    Incoming(Incoming),
    Used,
}

#[derive(Clone, Copy)]
pub enum Kind { Text, Json, Bytes, Buffer }

impl Body {
    pub fn incoming(body: IncomingBody) -> Self {
        match body.stream() {
            Ok(stream) => Body::Incoming(Incoming { stream, _body: body }),
            Err(()) => Body::Empty,
        }
    }
    /// The body of a `BodyInit`, and the type it implies.
    pub fn from_value<'js>(value: Option<Value<'js>>) -> Result<(Self, Option<&'static str>)> {
        let Some(value) = value.filter(|v| !v.is_null() && !v.is_undefined()) else { return Ok((Body::Empty, None)) };
        if let Some(bytes) = bytes_of(&value)? {
            return Ok((Body::Bytes(bytes), None));
        }
        let text: rquickjs::Coerced<String> = value.get()?;
        Ok((Body::Bytes(text.0.into_bytes()), Some("text/plain;charset=UTF-8")))
    }
    pub fn used(&self) -> bool {
        matches!(self, Body::Used)
    }
}

/// The bytes of a buffer or a view; `None` for anything else.
pub fn bytes_of(value: &Value<'_>) -> Result<Option<Vec<u8>>> {
    let Some(object) = value.as_object() else { return Ok(None) };
    if let Ok(array) = TypedArray::<u8>::from_object(object.clone()) {
        // SAFETY: copied before any JavaScript runs.
        return Ok(unsafe { array.as_bytes() }.map(<[u8]>::to_vec));
    }
    if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
        // SAFETY: copied before any JavaScript runs.
        return Ok(unsafe { buffer.as_bytes() }.map(<[u8]>::to_vec));
    }
    let Some(buffer) = object.get::<_, Option<Object>>("buffer")?.and_then(ArrayBuffer::from_object) else { return Ok(None) };
    let (at, size): (usize, usize) = (object.get("byteOffset")?, object.get("byteLength")?);
    // SAFETY: copied before any JavaScript runs.
    Ok(unsafe { buffer.as_bytes() }.and_then(|b| b.get(at..at + size)).map(<[u8]>::to_vec))
}

/// What the body is made to, once it is there.
pub fn convert<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>, kind: Kind) -> Result<Value<'js>> {
    match kind {
        Kind::Bytes => Ok(TypedArray::<u8>::new(ctx.clone(), bytes)?.into_value()),
        Kind::Buffer => Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value()),
        Kind::Text => text(ctx, &bytes),
        Kind::Json => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").map(<[u8]>::to_vec).unwrap_or(bytes);
            ctx.json_parse(bytes)
        }
    }
}

pub fn text<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(JsString::from_str(ctx.clone(), &std::string::String::from_utf8_lossy(bytes))?.into_value())
}

pub fn consume<'js>(ctx: &Ctx<'js>, body: &RefCell<Body>, kind: Kind) -> Result<Promise<'js>> {
    let (promise, resolve, reject) = ctx.promise()?;
    match body.replace(Body::Used) {
        Body::Used => {
            reject.call::<_, ()>((Exception::from_message(ctx.clone(), "the body was read already")?,))?;
        }
        Body::Empty => {
            body.replace(Body::Empty);
            reactor::settle(ctx, resolve, reject, convert(ctx, Vec::new(), kind))?;
        }
        Body::Bytes(bytes) => reactor::settle(ctx, resolve, reject, convert(ctx, bytes, kind))?,
        Body::Incoming(mut incoming) => {
            let mut bytes = Vec::new();
            // Most bodies are there as a whole when they are asked for.
            match read(&mut incoming, &mut bytes) {
                Some(Ok(())) => reactor::settle(ctx, resolve, reject, convert(ctx, bytes, kind))?,
                Some(Err(error)) => reject.call((Exception::from_message(ctx.clone(), &error)?,))?,
                None => reactor::wait_for_body(ctx, incoming, bytes, kind, resolve, reject),
            }
        }
    }
    Ok(promise)
}

/// Reads what there is; `None` while the end has not come.
pub fn read(incoming: &mut Incoming, bytes: &mut Vec<u8>) -> Option<std::result::Result<(), String>> {
    loop {
        match incoming.stream.read(1 << 16) {
            Ok(part) if part.is_empty() => return None,
            Ok(part) if bytes.is_empty() => *bytes = part,
            Ok(part) => bytes.extend_from_slice(&part),
            Err(StreamError::Closed) => return Some(Ok(())),
            Err(StreamError::LastOperationFailed(error)) => return Some(Err(error.to_debug_string())),
        }
    }
}
