//! `crypto`: random values, and `crypto.subtle` on the crates of RustCrypto.
mod aes;
mod arguments;
mod der;
mod deriving;
mod ec;
mod ed25519;
mod export;
mod generate;
mod hash;
mod hmac;
mod import;
mod jwk;
mod kdf;
mod key;
mod making;
mod params;
mod problem;
pub mod random;
mod rsa;
mod signing;
mod subtle;
mod wanted;

use rquickjs::{
    Class, Ctx, Exception, JsLifetime, Result, Value, atom::PredefinedAtom, class::Trace, qjs,
};

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct Crypto<'js> {
    subtle: Class<'js, subtle::SubtleCrypto>,
}

const QUOTA: usize = 65_536;

#[rquickjs::methods(rename_all = "camelCase")]
impl<'js> Crypto<'js> {
    #[qjs(constructor)]
    pub fn new(ctx: Ctx<'js>) -> Result<Self> {
        Err(Exception::throw_type(&ctx, "Illegal constructor"))
    }

    #[qjs(get, enumerable, configurable)]
    pub fn subtle(&self) -> Class<'js, subtle::SubtleCrypto> {
        self.subtle.clone()
    }

    pub fn get_random_values(&self, ctx: Ctx<'js>, array: Value<'js>) -> Result<Value<'js>> {
        use qjs::*;
        let floats = [
            JSTypedArrayEnum_JS_TYPED_ARRAY_FLOAT16,
            JSTypedArrayEnum_JS_TYPED_ARRAY_FLOAT32,
            JSTypedArrayEnum_JS_TYPED_ARRAY_FLOAT64,
        ];
        let place = match crate::bytes::array_kind(&array) {
            Some(kind) if !floats.contains(&kind) => crate::bytes::place(&array),
            _ => None,
        };
        let Some(place) = place else {
            let text = "The data argument must be an integer-type TypedArray";
            return Err(crate::error::dom_exception(&ctx, "TypeMismatchError", text));
        };
        if place.len > QUOTA {
            let text = format!("The requested length exceeds {QUOTA} bytes");
            return Err(crate::error::dom_exception(
                &ctx,
                "QuotaExceededError",
                &text,
            ));
        }
        let bytes = random::bytes(place.len).map_err(|problem| problem.throw(&ctx))?;
        // SAFETY: no JavaScript has run since the place was looked up.
        let room = unsafe { place.bytes_mut() };
        room.copy_from_slice(&bytes[..room.len()]);
        Ok(array)
    }

    #[qjs(rename = "randomUUID")]
    pub fn random_uuid(&self, ctx: Ctx<'js>) -> Result<String> {
        let mut bytes = random::bytes(16).map_err(|problem| problem.throw(&ctx))?;
        bytes[6] = bytes[6] & 15 | 64;
        bytes[8] = bytes[8] & 63 | 128;
        let mut text = String::with_capacity(36);
        for (at, byte) in bytes.iter().enumerate() {
            if matches!(at, 4 | 6 | 8 | 10) {
                text.push('-');
            }
            for half in [byte >> 4, byte & 15] {
                text.push(char::from_digit(half.into(), 16).unwrap_or('0'));
            }
        }
        Ok(text)
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "Crypto"
    }
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    Class::<key::CryptoKey>::define(&globals)?;
    Class::<subtle::SubtleCrypto>::define(&globals)?;
    Class::<Crypto>::define(&globals)?;
    let subtle = Class::instance(ctx.clone(), subtle::SubtleCrypto {})?;
    globals.set("crypto", Class::instance(ctx.clone(), Crypto { subtle })?)
}
