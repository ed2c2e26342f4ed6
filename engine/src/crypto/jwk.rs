//! JSON Web Keys: reading the properties of one, and checking those that all kinds share.
use super::import::Import;
use super::problem::{Outcome, Problem};
use crate::bytes;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rquickjs::{Coerced, Ctx, Object, Result, Value};

type Text = Option<String>;

#[derive(Default)]
pub struct Jwk {
    pub kty: Text,
    pub alg: Text,
    pub crv: Text,
    pub d: Text,
    pub e: Text,
    pub k: Text,
    pub n: Text,
    pub p: Text,
    pub q: Text,
    pub x: Text,
    pub y: Text,
    pub multi_prime: bool,
    usage: Text,
    ext: Option<bool>,
    key_ops: Option<Vec<String>>,
}

fn given<'js>(object: &Object<'js>, name: &str) -> Result<Option<Value<'js>>> {
    let value: Value = object.get(name)?;
    Ok((!value.is_undefined()).then_some(value))
}

impl Jwk {
    /// Reads each property once, in the order of Web IDL. Getters may run JavaScript.
    pub fn read<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<Self> {
        let text = |name: &str| -> Result<Text> {
            given(object, name)?
                .map(|value| bytes::text(ctx, &value))
                .transpose()
        };
        let flag = |name: &str| -> Result<Option<bool>> {
            let value = given(object, name)?;
            value
                .map(|value| Ok(value.get::<Coerced<bool>>()?.0))
                .transpose()
        };
        Ok(Jwk {
            alg: text("alg")?,
            crv: text("crv")?,
            d: text("d")?,
            e: text("e")?,
            ext: flag("ext")?,
            k: text("k")?,
            key_ops: given(object, "key_ops")?
                .map(|list| super::params::texts(ctx, &list))
                .transpose()?,
            kty: text("kty")?,
            n: text("n")?,
            multi_prime: given(object, "oth")?.is_some(),
            p: text("p")?,
            q: text("q")?,
            usage: text("use")?,
            x: text("x")?,
            y: text("y")?,
        })
    }

    /// `alg` may be empty where the algorithm has no name in a JSON Web Key.
    pub fn expect(&self, kty: &str, alg: &str, usage: &str, request: &Import) -> Outcome<()> {
        let wrong = |what: &str| Err(Problem::data(format!("The key's \"{what}\" does not fit")));
        if self.kty.as_deref() != Some(kty) {
            return wrong("kty");
        }
        if !alg.is_empty() && self.alg.as_deref().is_some_and(|given| given != alg) {
            return wrong("alg");
        }
        if request.usages.any() && self.usage.as_deref().is_some_and(|given| given != usage) {
            return wrong("use");
        }
        if let Some(ops) = &self.key_ops {
            let twice = ops
                .iter()
                .enumerate()
                .any(|(at, op)| ops[..at].contains(op));
            if twice
                || request
                    .usages
                    .names()
                    .any(|name| !ops.iter().any(|op| op == name))
            {
                return wrong("key_ops");
            }
        }
        if self.ext == Some(false) && request.extractable {
            return wrong("ext");
        }
        Ok(())
    }

    pub fn bytes(&self, text: &Text, name: &str) -> Outcome<Vec<u8>> {
        let text = text
            .as_ref()
            .ok_or_else(|| Problem::data(format!("The key has no \"{name}\"")))?;
        decode(text).ok_or_else(|| Problem::data(format!("The key's \"{name}\" is not base64url")))
    }
}

pub fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
