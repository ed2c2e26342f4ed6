//! What the methods of `crypto.subtle` are given, and what they return.
use super::key::{CryptoKey, USAGES, Usages};
use super::params;
use super::problem::{Problem, type_error};
use crate::bytes;
use rquickjs::{ArrayBuffer, Class, Coerced, Ctx, Result, Value};

pub type Arguments<'a, 'js> = &'a [Value<'js>];

pub fn buffer<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Value<'js>> {
    Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value())
}

/// Shows `look` the bytes of an argument where they are. `look` runs no JavaScript.
pub fn looking<'js, R>(ctx: &Ctx<'js>, value: &Value<'js>, look: impl FnOnce(&[u8]) -> R) -> Result<R> {
    match bytes::place(value) {
        // SAFETY: no JavaScript runs in `look`.
        Some(place) if !place.shared => Ok(look(unsafe { place.bytes() })),
        _ => Err(type_error(
            ctx,
            "the data must be a buffer or a view, and not of shared memory",
        )),
    }
}

pub fn is_buffer(value: &Value<'_>) -> bool {
    bytes::place(value).is_some_and(|place| !place.shared)
}

pub fn check_buffer<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<()> {
    if is_buffer(value) {
        return Ok(());
    }
    Err(type_error(
        ctx,
        "the data must be a buffer or a view, and not of shared memory",
    ))
}

pub fn key<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Class<'js, CryptoKey<'js>>> {
    Class::from_value(value).map_err(|_| type_error(ctx, "a CryptoKey was expected"))
}

pub fn may<'js>(ctx: &Ctx<'js>, key: &CryptoKey<'js>, name: &str, usage: Usages) -> Result<()> {
    let problem = if key.algorithm.name() != name {
        Problem::access(format!(
            "The key is for {}, not for {name}",
            key.algorithm.name()
        ))
    } else if !usage.within(key.usages) {
        let list: Vec<&str> = usage.names().collect();
        Problem::access(format!(
            "The key does not have the usage \"{}\"",
            list.join(", ")
        ))
    } else {
        return Ok(());
    };
    Err(problem.throw(ctx))
}

pub fn usages<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Usages> {
    let mut all = Usages::NONE;
    for name in params::texts(ctx, value)? {
        let one = Usages::of(&name)
            .ok_or_else(|| type_error(ctx, &format!("a usage is one of {}", USAGES.join(", "))))?;
        all = all.with(one);
    }
    Ok(all)
}

pub fn format<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    let text = bytes::text(ctx, value)?;
    match text.as_str() {
        "raw" | "spki" | "pkcs8" | "jwk" => Ok(text),
        _ => Err(type_error(ctx, "a format is one of raw, spki, pkcs8, jwk")),
    }
}

pub fn truth(value: &Value<'_>) -> Result<bool> {
    Ok(value.get::<Coerced<bool>>()?.0)
}
