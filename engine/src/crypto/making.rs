//! `importKey`, `exportKey` and `generateKey` of `crypto.subtle`.
use super::arguments::{Arguments, format, is_buffer, key, truth, usages};
use super::generate::{self, Made};
use super::import::{Import, Source};
use super::jwk::Jwk;
use super::params::Params;
use super::problem::type_error;
use super::wanted::Wanted;
use crate::bytes;
use rquickjs::{Class, Ctx, Object, Result, Value};

const NEW: &[&str] = &["HMAC", "AES-GCM", "ECDSA", "Ed25519"];
const ALL: &[&str] = &[
    "HMAC",
    "RSASSA-PKCS1-v1_5",
    "RSA-PSS",
    "ECDSA",
    "Ed25519",
    "AES-GCM",
    "PBKDF2",
    "HKDF",
];

pub fn import_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let format = format(ctx, &arguments[0])?;
    let extractable = truth(&arguments[3])?;
    let usages = usages(ctx, &arguments[4])?;
    let params = Params::read(ctx, &arguments[2], "importKey", ALL)?;
    let wanted = Wanted::read(ctx, &params, false)?;
    let source = match (format.as_str(), arguments[1].as_object()) {
        ("jwk", Some(object)) if !is_buffer(&arguments[1]) => {
            Source::Jwk(Box::new(Jwk::read(ctx, object)?))
        }
        ("jwk", None) if arguments[1].is_null() || arguments[1].is_undefined() => {
            Source::Jwk(Box::default())
        }
        ("jwk", _) => return Err(type_error(ctx, "a JSON Web Key is an object")),
        ("spki", _) => Source::Spki(bytes::copy(ctx, &arguments[1], "the key")?),
        ("pkcs8", _) => Source::Pkcs8(bytes::copy(ctx, &arguments[1], "the key")?),
        _ => Source::Raw(bytes::copy(ctx, &arguments[1], "the key")?),
    };
    let request = Import {
        source,
        extractable,
        usages,
    };
    let key = request.run(wanted).map_err(|problem| problem.throw(ctx))?;
    Ok(Class::instance(ctx.clone(), key)?.into_value())
}

pub fn export_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let format = format(ctx, &arguments[0])?;
    key(ctx, &arguments[1])?.borrow().export(ctx, &format)
}

pub fn generate_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let extractable = truth(&arguments[1])?;
    let usages = usages(ctx, &arguments[2])?;
    let params = Params::read(ctx, &arguments[0], "generateKey", NEW)?;
    let wanted = Wanted::read(ctx, &params, true)?;
    match generate::generate(wanted, extractable, usages).map_err(|problem| problem.throw(ctx))? {
        Made::Secret(key) => Ok(Class::instance(ctx.clone(), key)?.into_value()),
        Made::Pair(public, private) => {
            let pair = Object::new(ctx.clone())?;
            pair.set("publicKey", Class::instance(ctx.clone(), public)?)?;
            pair.set("privateKey", Class::instance(ctx.clone(), private)?)?;
            Ok(pair.into_value())
        }
    }
}
