//! What the bytes of a body become.
use rquickjs::{ArrayBuffer, Ctx, Result, String as JsString, TypedArray, Value};

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Text,
    Json,
    Bytes,
    Buffer,
    Blob,
    Form,
}

/// A copy of the bytes of a buffer or a view; `None` for anything else.
pub fn bytes_of(value: &Value<'_>) -> Result<Option<Vec<u8>>> {
    let Some(place) = crate::bytes::place(value) else {
        return Ok(None);
    };
    crate::memory::check(value.ctx(), place.len)?;
    // SAFETY: copied before any JavaScript runs.
    Ok(Some(unsafe { place.bytes() }.to_vec()))
}

/// What is no UTF-8 is copied, and grows.
fn check_repair(ctx: &Ctx<'_>, bytes: &[u8]) -> Result<()> {
    if bytes.len() < 64 << 10 || std::str::from_utf8(bytes).is_ok() {
        return Ok(());
    }
    crate::memory::check(ctx, 4 * bytes.len())
}

pub fn text<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    check_repair(ctx, bytes)?;
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
            check_repair(ctx, &bytes)?;
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
