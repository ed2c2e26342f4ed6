//! Bytes of JavaScript values, and what the bytes of a body become.
use rquickjs::{ArrayBuffer, Ctx, Object, Result, String as JsString, TypedArray, Value};

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Json,
    Bytes,
    Buffer,
    Blob,
    Form,
}

/// The bytes of a buffer or a view; `None` for anything else.
pub fn bytes_of(value: &Value<'_>) -> Result<Option<Vec<u8>>> {
    let Some(object) = value.as_object() else { return Ok(None) };
    if let Ok(array) = TypedArray::<u8>::from_object(object.clone()) {
        // SAFETY: copied before any JavaScript runs.
        return Ok(Some(unsafe { array.as_bytes() }.map(<[u8]>::to_vec).unwrap_or_default()));
    }
    if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
        // SAFETY: copied before any JavaScript runs.
        return Ok(Some(unsafe { buffer.as_bytes() }.map(<[u8]>::to_vec).unwrap_or_default()));
    }
    if !is_view(object) {
        return Ok(None);
    }
    let Some(buffer) = object.get::<_, Option<Object>>("buffer")?.and_then(ArrayBuffer::from_object) else {
        return Ok(None);
    };
    let (at, size): (usize, usize) = (object.get("byteOffset")?, object.get("byteLength")?);
    // SAFETY: copied before any JavaScript runs.
    let all = unsafe { buffer.as_bytes() };
    let end = at.saturating_add(size);
    Ok(Some(all.and_then(|bytes| bytes.get(at..end)).map(<[u8]>::to_vec).unwrap_or_default()))
}

/// Whether the object is a typed array or a DataView, and not only an object with the same properties.
fn is_view(object: &Object<'_>) -> bool {
    let ctx = object.ctx();
    let check = || -> Result<bool> {
        let constructor: Object = ctx.globals().get("ArrayBuffer")?;
        let is_view: rquickjs::Function = constructor.get("isView")?;
        is_view.call((object.clone(),))
    };
    check().unwrap_or(false)
}

pub fn text<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    Ok(JsString::from_str(ctx.clone(), &std::string::String::from_utf8_lossy(bytes))?.into_value())
}

/// What a body of these bytes is as `kind`.
///
/// * `content_type` - of the message, for a Blob or a form.
pub fn convert<'js>(
    ctx: &Ctx<'js>,
    bytes: Vec<u8>,
    kind: Kind,
    content_type: Option<String>,
) -> Result<Value<'js>> {
    match kind {
        Kind::Bytes => Ok(TypedArray::<u8>::new(ctx.clone(), bytes)?.into_value()),
        Kind::Buffer => Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value()),
        Kind::Text => text(ctx, &bytes),
        Kind::Json => {
            let whole = std::string::String::from_utf8_lossy(&bytes);
            let text = whole.strip_prefix('\u{feff}').unwrap_or(&whole);
            ctx.json_parse(text)
        }
        Kind::Blob | Kind::Form => {
            let bytes = TypedArray::<u8>::new(ctx.clone(), bytes)?;
            let name = if kind == Kind::Blob { "makeBlob" } else { "parseForm" };
            crate::hooks::call(ctx, name, (bytes, content_type.unwrap_or_default()))
        }
    }
}
