//! `atob` and `btoa`, with the forgiving rules of the Infra standard.
use crate::bytes::{self, Text};
use crate::error::dom_exception;
use base64::Engine as _;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::general_purpose::{NO_PAD, STANDARD};
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use rquickjs::{Ctx, Function, Result, Value};

const FORGIVING: GeneralPurpose = GeneralPurpose::new(&ALPHABET, LENIENT);
const LENIENT: GeneralPurposeConfig = NO_PAD.with_decode_allow_trailing_bits(true);

fn atob<'js>(ctx: Ctx<'js>, text: Text) -> Result<Value<'js>> {
    let blank = |b: &u8| matches!(b, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
    crate::memory::check(&ctx, 3 * text.0.len())?;
    let mut data = text.0.into_bytes();
    if data.iter().any(|b| blank(b)) {
        data.retain(|b| !blank(b));
    }
    if data.len().is_multiple_of(4) {
        let padding = data
            .iter()
            .rev()
            .take(2)
            .take_while(|b| **b == b'=')
            .count();
        data.truncate(data.len() - padding);
    }
    let decoded = FORGIVING.decode(&data).map_err(|_| {
        dom_exception(
            &ctx,
            "InvalidCharacterError",
            "The string to be decoded is not correctly encoded.",
        )
    })?;
    match std::str::from_utf8(&decoded) {
        Ok(text) if text.is_ascii() => bytes::string(&ctx, text),
        _ => bytes::string(
            &ctx,
            &decoded.into_iter().map(char::from).collect::<String>(),
        ),
    }
}

fn btoa<'js>(ctx: Ctx<'js>, text: Text) -> Result<Value<'js>> {
    crate::memory::check(&ctx, 3 * text.0.len())?;
    if text.0.is_ascii() {
        return bytes::string(&ctx, &STANDARD.encode(text.0));
    }
    let latin: Option<Vec<u8>> = text.0.chars().map(|c| u8::try_from(c).ok()).collect();
    match latin {
        Some(latin) => bytes::string(&ctx, &STANDARD.encode(latin)),
        None => Err(dom_exception(
            &ctx,
            "InvalidCharacterError",
            "The string has a character outside of Latin-1 (above U+00FF).",
        )),
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    globals.set("atob", Function::new(ctx.clone(), atob)?.with_name("atob")?)?;
    globals.set("btoa", Function::new(ctx.clone(), btoa)?.with_name("btoa")?)
}
