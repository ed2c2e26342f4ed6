//! `deriveBits` and `deriveKey` of `crypto.subtle`.
use super::arguments::{Arguments, buffer, key, may, truth, usages};
use super::import::{Import, Source};
use super::key::{CryptoKey, Material, Usages};
use super::params::{self, Params};
use super::problem::Problem;
use super::{kdf, wanted::Wanted};
use rquickjs::{Class, Ctx, Result, Value};

const DERIVING: &[&str] = &["PBKDF2", "HKDF"];
const DERIVED: &[&str] = &["HMAC", "AES-GCM", "PBKDF2", "HKDF"];

fn deriving<'js>(params: &Params<'js>) -> Result<kdf::Settings> {
    let hash = params.hash()?;
    Ok(match params.name {
        "PBKDF2" => kdf::Settings::Pbkdf2 {
            hash,
            rounds: params.number("iterations")?,
            salt: params.bytes("salt")?,
        },
        _ => kdf::Settings::Hkdf {
            hash,
            info: params.bytes("info")?,
            salt: params.bytes("salt")?,
        },
    })
}

fn derive<'js>(
    ctx: &Ctx<'js>,
    key: &CryptoKey<'js>,
    settings: &kdf::Settings,
    bits: u32,
) -> Result<Vec<u8>> {
    let done = match &key.material {
        Material::Secret(secret) => kdf::derive(secret, settings, bits),
        _ => Err(Problem::not_supported("Nothing derives from the key")),
    };
    done.map_err(|problem| problem.throw(ctx))
}

pub fn derive_bits<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let key = key(ctx, &arguments[1])?;
    let bits = match arguments
        .get(2)
        .filter(|bits| !bits.is_null() && !bits.is_undefined())
    {
        Some(bits) => Some(params::number(ctx, bits, "length")?),
        None => None,
    };
    let params = Params::read(ctx, &arguments[0], "deriveBits", DERIVING)?;
    let settings = deriving(&params)?;
    let key = key.borrow();
    may(ctx, &key, params.name, Usages::DERIVE_BITS)?;
    let bits = bits.ok_or_else(|| Problem::operation("The length is missing").throw(ctx))?;
    buffer(ctx, derive(ctx, &key, &settings, bits)?)
}

pub fn derive_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let key = key(ctx, &arguments[1])?;
    let extractable = truth(&arguments[3])?;
    let usages = usages(ctx, &arguments[4])?;
    let params = Params::read(ctx, &arguments[0], "deriveKey", DERIVING)?;
    let settings = deriving(&params)?;
    let target = Params::read(ctx, &arguments[2], "deriveKey", DERIVED)?;
    let wanted = Wanted::read(ctx, &target, true)?;
    let key = key.borrow();
    may(ctx, &key, params.name, Usages::DERIVE_KEY)?;
    let bits = wanted.bits().map_err(|problem| problem.throw(ctx))?;
    let bits =
        bits.ok_or_else(|| Problem::operation("The length of the new key is open").throw(ctx))?;
    let source = Source::Raw(derive(ctx, &key, &settings, bits as u32)?);
    let request = Import {
        source,
        extractable,
        usages,
    };
    let made = request.run(wanted).map_err(|problem| problem.throw(ctx))?;
    Ok(Class::instance(ctx.clone(), made)?.into_value())
}
