//! `TextEncoder`.
use crate::bytes::{self, with_text};
use crate::error::needs_new;
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::{Opt, This};
use rquickjs::{Ctx, Exception, JsLifetime, Object, Result, Value, class::Trace, qjs};

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct TextEncoder {}

#[rquickjs::methods(rename_all = "camelCase")]
impl TextEncoder {
    #[qjs(constructor)]
    pub fn new<'js>(ctx: Ctx<'js>, this: This<Value<'js>>) -> Result<Self> {
        needs_new(&ctx, &this.0)?;
        Ok(TextEncoder {})
    }

    #[qjs(get, enumerable, configurable)]
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    pub fn encode<'js>(&self, ctx: Ctx<'js>, text: Opt<Value<'js>>) -> Result<Value<'js>> {
        match text.0.filter(|value| !value.is_undefined()) {
            None => bytes::new_array(&ctx, &[]),
            // One copy: from the engine's own text into the new array.
            Some(value) => with_text(&ctx, &value, |raw| {
                bytes::new_array(&ctx, bytes::repair(raw).as_bytes())
            })?,
        }
    }

    pub fn encode_into<'js>(
        &self,
        ctx: Ctx<'js>,
        text: Value<'js>,
        to: Value<'js>,
    ) -> Result<Object<'js>> {
        if bytes::array_kind(&to) != Some(qjs::JSTypedArrayEnum_JS_TYPED_ARRAY_UINT8) {
            return Err(Exception::throw_type(
                &ctx,
                "the second argument must be a Uint8Array",
            ));
        }
        let (read, written) = with_text(&ctx, &text, |raw| {
            let text = bytes::repair(raw);
            // The array is looked up here, since making the text may have detached it.
            let Some(place) = bytes::place(&to) else {
                return (0, 0);
            };
            let size = text.floor_char_boundary(place.len.min(text.len()));
            let part = &text[..size];
            // SAFETY: no JavaScript runs here, and `part` is not in the array.
            let room = unsafe { place.bytes_mut() };
            room[..size].copy_from_slice(part.as_bytes());
            let read = if part.is_ascii() {
                size
            } else {
                part.chars().map(char::len_utf16).sum()
            };
            (read, size)
        })?;
        let outcome = Object::new(ctx)?;
        outcome.set("read", read)?;
        outcome.set("written", written)?;
        Ok(outcome)
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "TextEncoder"
    }
}
