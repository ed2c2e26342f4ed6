//! Reading what callers hand in: names, numbers, bytes and lists of an algorithm's parameters.
use super::hash::{self, Hash};
use super::problem::{Problem, type_error};
use crate::bytes;
use crate::iterate::{each, iterator_of};
use rquickjs::{Coerced, Ctx, Object, Result, Value};

/// An algorithm by its proper name, with the object it came in.
pub struct Params<'js> {
    pub name: &'static str,
    ctx: Ctx<'js>,
    object: Option<Object<'js>>,
}

impl<'js> Params<'js> {
    /// `known` are the algorithms that `what` has.
    pub fn read(
        ctx: &Ctx<'js>,
        value: &Value<'js>,
        what: &str,
        known: &[&'static str],
    ) -> Result<Self> {
        let object = value.as_object().cloned();
        let given = match &object {
            None => bytes::text(ctx, value)?,
            Some(object) => {
                let name: Value = object.get("name")?;
                if name.is_undefined() {
                    return Err(type_error(ctx, "the algorithm has no name"));
                }
                bytes::text(ctx, &name)?
            }
        };
        let name = known
            .iter()
            .find(|name| name.eq_ignore_ascii_case(&given))
            .ok_or_else(|| {
                let shown: String = given.chars().take(60).collect();
                let list = known.join(", ");
                Problem::not_supported(format!(
                    "{what} has no algorithm \"{shown}\"; it has: {list}"
                ))
                .throw(ctx)
            })?;
        let ctx = ctx.clone();
        Ok(Params { name, ctx, object })
    }

    pub fn given(&self, name: &str) -> Result<Option<Value<'js>>> {
        let Some(object) = &self.object else {
            return Ok(None);
        };
        let value: Value = object.get(name)?;
        Ok((!value.is_undefined()).then_some(value))
    }

    pub fn required(&self, name: &str) -> Result<Value<'js>> {
        self.given(name)?.ok_or_else(|| {
            let text = format!("{} needs the parameter \"{name}\"", self.name);
            type_error(&self.ctx, &text)
        })
    }

    pub fn hash(&self) -> Result<Hash> {
        let value = self.required("hash")?;
        let inner = Params::read(&self.ctx, &value, "digest", hash::NAMES)?;
        // `read` knows no other names.
        Ok(Hash::of(inner.name).unwrap_or(Hash::Sha256))
    }

    pub fn text(&self, name: &str) -> Result<String> {
        bytes::text(&self.ctx, &self.required(name)?)
    }

    pub fn bytes(&self, name: &str) -> Result<Vec<u8>> {
        bytes::copy(&self.ctx, &self.required(name)?, name)
    }

    pub fn optional_bytes(&self, name: &str) -> Result<Vec<u8>> {
        let value = self.given(name)?;
        value.map_or(Ok(Vec::new()), |value| bytes::copy(&self.ctx, &value, name))
    }

    pub fn number(&self, name: &str) -> Result<u32> {
        number(&self.ctx, &self.required(name)?, name)
    }

    pub fn optional_number(&self, name: &str) -> Result<Option<u32>> {
        let value = self.given(name)?;
        value
            .map(|value| number(&self.ctx, &value, name))
            .transpose()
    }
}

/// `[EnforceRange] unsigned long`.
pub fn number<'js>(ctx: &Ctx<'js>, value: &Value<'js>, name: &str) -> Result<u32> {
    let number = value.get::<Coerced<f64>>()?.0.trunc();
    if !(0.0..=f64::from(u32::MAX)).contains(&number) {
        return Err(type_error(
            ctx,
            &format!("{name} is not a whole number from 0 to 4294967295"),
        ));
    }
    Ok(number as u32)
}

/// `sequence<DOMString>`.
pub fn texts<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Vec<String>> {
    let wrong = || type_error(ctx, "a list of strings was expected");
    let object = value.as_object().ok_or_else(wrong)?;
    let iterator = iterator_of(ctx, object)?.ok_or_else(wrong)?;
    let mut list = Vec::new();
    each(ctx, &iterator, |one| {
        list.push(bytes::text(ctx, &one)?);
        Ok(())
    })?;
    Ok(list)
}
