//! What a `URLSearchParams` is made of when it is not a string: pairs of any iterable, or the properties of an object.
use crate::bytes;
use crate::iterate::{each, iterator_of};
use rquickjs::object::Filter;
use rquickjs::{Atom, Ctx, Exception, Object, Result, Value};

pub fn pairs<'js>(ctx: &Ctx<'js>, from: &Value<'js>) -> Result<Vec<(String, String)>> {
    let Some(object) = from.as_object() else {
        return Ok(Vec::new());
    };
    match iterator_of(ctx, object)? {
        Some(iterator) => sequence(ctx, &iterator),
        None => record(ctx, object),
    }
}

fn sequence<'js>(ctx: &Ctx<'js>, iterator: &Object<'js>) -> Result<Vec<(String, String)>> {
    let wrong =
        || Exception::throw_type(ctx, "each pair must be an iterable of a name and a value");
    let mut pairs = Vec::new();
    each(ctx, iterator, |pair| {
        let pair = pair.into_object().ok_or_else(wrong)?;
        let parts = iterator_of(ctx, &pair)?.ok_or_else(wrong)?;
        let mut texts = Vec::new();
        each(ctx, &parts, |part| {
            texts.push(bytes::text(ctx, &part)?);
            Ok(())
        })?;
        let [name, value]: [String; 2] = texts.try_into().map_err(|_| wrong())?;
        crate::memory::push(ctx, &mut pairs, (name, value))
    })?;
    Ok(pairs)
}

fn record<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<Vec<(String, String)>> {
    let mut symbols = object.own_keys::<Atom>(Filter::new().symbol().enum_only());
    if symbols.next().transpose()?.is_some() {
        return Err(Exception::throw_type(ctx, "a symbol cannot be a name"));
    }
    let mut pairs: Vec<(String, String)> = Vec::new();
    for key in object.own_keys::<Atom>(Filter::new().string().enum_only()) {
        let key = key?;
        let name = bytes::text(ctx, &key.to_value()?)?;
        let value = bytes::text(ctx, &object.get(key)?)?;
        // Two keys are one when only their lone surrogates differ.
        let repaired = name.contains('\u{fffd}');
        match pairs.iter_mut().find(|(n, _)| repaired && *n == name) {
            Some(pair) => pair.1 = value,
            None => crate::memory::push(ctx, &mut pairs, (name, value))?,
        }
    }
    Ok(pairs)
}
