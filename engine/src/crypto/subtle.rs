//! `crypto.subtle`: each method reads its arguments, which may run JavaScript, and only then looks at bytes and works.
use super::hash::{self, Hash};
use super::jwk::Jwk;
use super::key::{Algorithm, CryptoKey, Material, USAGES, Usages};
use super::keys::{self, Import, Made, Source, Wanted};
use super::params::{self, Params};
use super::problem::{Problem, type_error};
use super::{aes, hmac, kdf};
use crate::bytes;
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::{Rest, This};
use rquickjs::{
    ArrayBuffer, Class, Coerced, Ctx, Error, Exception, JsLifetime, Object, Promise, Result, Value,
    class::Trace,
};

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct SubtleCrypto {}

const SIGNING: &[&str] = &["HMAC", "RSASSA-PKCS1-v1_5", "RSA-PSS", "ECDSA", "Ed25519"];
const NEW: &[&str] = &["HMAC", "AES-GCM", "ECDSA", "Ed25519"];
const CIPHERS: &[&str] = &["AES-GCM"];
const DERIVING: &[&str] = &["PBKDF2", "HKDF"];
const DERIVED: &[&str] = &["HMAC", "AES-GCM", "PBKDF2", "HKDF"];
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

type Arguments<'a, 'js> = &'a [Value<'js>];

/// Every outcome is a promise, that of a wrong receiver or of too few arguments too.
fn run<'js>(
    ctx: Ctx<'js>,
    this: This<Value<'js>>,
    arguments: Rest<Value<'js>>,
    count: usize,
    work: fn(&Ctx<'js>, Arguments<'_, 'js>) -> Result<Value<'js>>,
) -> Result<Promise<'js>> {
    let (promise, resolve, reject) = ctx.promise()?;
    let outcome = if Class::<SubtleCrypto>::from_value(&this.0).is_err() {
        Err(type_error(&ctx, "the receiver is no SubtleCrypto"))
    } else if arguments.0.len() < count {
        Err(type_error(&ctx, &format!("{count} arguments are needed")))
    } else {
        work(&ctx, &arguments.0)
    };
    match outcome {
        Ok(value) => resolve.call::<_, ()>((value,))?,
        Err(error) => {
            if !matches!(error, Error::Exception) {
                let _ = Exception::throw_type(&ctx, &error.to_string());
            }
            reject.call::<_, ()>((ctx.catch(),))?;
        }
    }
    Ok(promise)
}

fn buffer<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Value<'js>> {
    Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value())
}

/// Shows `look` the bytes of an argument where they are. `look` runs no JavaScript.
fn looking<'js, R>(ctx: &Ctx<'js>, value: &Value<'js>, look: impl FnOnce(&[u8]) -> R) -> Result<R> {
    match bytes::place(value) {
        // SAFETY: no JavaScript runs in `look`.
        Some(place) if !place.shared => Ok(look(unsafe { place.bytes() })),
        _ => Err(type_error(
            ctx,
            "the data must be a buffer or a view, and not of shared memory",
        )),
    }
}

fn is_buffer(value: &Value<'_>) -> bool {
    bytes::place(value).is_some_and(|place| !place.shared)
}

fn check_buffer<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<()> {
    if is_buffer(value) {
        return Ok(());
    }
    Err(type_error(
        ctx,
        "the data must be a buffer or a view, and not of shared memory",
    ))
}

fn key<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Class<'js, CryptoKey<'js>>> {
    Class::from_value(value).map_err(|_| type_error(ctx, "a CryptoKey was expected"))
}

fn may<'js>(ctx: &Ctx<'js>, key: &CryptoKey<'js>, name: &str, usage: Usages) -> Result<()> {
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

fn usages<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Usages> {
    let mut all = Usages::NONE;
    for name in params::texts(ctx, value)? {
        let one = Usages::of(&name)
            .ok_or_else(|| type_error(ctx, &format!("a usage is one of {}", USAGES.join(", "))))?;
        all = all.with(one);
    }
    Ok(all)
}

fn format<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    let text = bytes::text(ctx, value)?;
    match text.as_str() {
        "raw" | "spki" | "pkcs8" | "jwk" => Ok(text),
        _ => Err(type_error(ctx, "a format is one of raw, spki, pkcs8, jwk")),
    }
}

fn truth(value: &Value<'_>) -> Result<bool> {
    Ok(value.get::<Coerced<bool>>()?.0)
}

fn digest<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    check_buffer(ctx, &arguments[1])?;
    let params = Params::read(ctx, &arguments[0], "digest", hash::NAMES)?;
    let hash = Hash::of(params.name).unwrap_or(Hash::Sha256);
    buffer(ctx, looking(ctx, &arguments[1], |data| hash.digest(data))?)
}

/// What a signature takes besides key and data.
#[derive(Clone, Copy)]
struct Signing {
    hash: Option<Hash>,
    salt: usize,
}

impl Signing {
    fn read(params: &Params<'_>) -> Result<Signing> {
        Ok(match params.name {
            "ECDSA" => Signing {
                hash: Some(params.hash()?),
                salt: 0,
            },
            "RSA-PSS" => Signing {
                hash: None,
                salt: params.number("saltLength")? as usize,
            },
            _ => Signing {
                hash: None,
                salt: 0,
            },
        })
    }
}

fn sign<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let key = key(ctx, &arguments[1])?;
    check_buffer(ctx, &arguments[2])?;
    let params = Params::read(ctx, &arguments[0], "sign", SIGNING)?;
    let how = Signing::read(&params)?;
    let key = key.borrow();
    may(ctx, &key, params.name, Usages::SIGN)?;
    let signed = looking(ctx, &arguments[2], |data| {
        match (&key.material, key.algorithm) {
            (Material::Secret(secret), Algorithm::Hmac { hash, .. }) => {
                hmac::sign(hash, secret, data)
            }
            (Material::Rsa(key), Algorithm::RsaPkcs1 { hash }) => key.sign(hash, data),
            (Material::Rsa(key), Algorithm::RsaPss { hash }) => key.sign_pss(hash, how.salt, data),
            (Material::Ec(key), _) => key.sign(how.hash.unwrap_or(Hash::Sha256), data),
            (Material::Ed25519(key), _) => key.sign(data),
            _ => Err(Problem::not_supported("The key does not sign")),
        }
    })?;
    buffer(ctx, signed.map_err(|problem| problem.throw(ctx))?)
}

fn verify<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let key = key(ctx, &arguments[1])?;
    check_buffer(ctx, &arguments[2])?;
    check_buffer(ctx, &arguments[3])?;
    let params = Params::read(ctx, &arguments[0], "verify", SIGNING)?;
    let how = Signing::read(&params)?;
    let key = key.borrow();
    may(ctx, &key, params.name, Usages::VERIFY)?;
    let given = bytes::copy(ctx, &arguments[2], "signature")?;
    let good = looking(ctx, &arguments[3], |data| {
        Ok(match (&key.material, key.algorithm) {
            (Material::Secret(secret), Algorithm::Hmac { hash, .. }) => {
                return hmac::verify(hash, secret, data, &given);
            }
            (Material::Rsa(key), Algorithm::RsaPkcs1 { hash }) => key.verify(hash, data, &given),
            (Material::Rsa(key), Algorithm::RsaPss { hash }) => {
                key.verify_pss(hash, how.salt, data, &given)
            }
            (Material::Ec(key), _) => key.verify(how.hash.unwrap_or(Hash::Sha256), data, &given),
            (Material::Ed25519(key), _) => key.verify(data, &given),
            _ => return Err(Problem::not_supported("The key does not verify")),
        })
    })?;
    let good = good.map_err(|problem| problem.throw(ctx))?;
    Ok(Value::new_bool(ctx.clone(), good))
}

fn import_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
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

fn export_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let format = format(ctx, &arguments[0])?;
    key(ctx, &arguments[1])?.borrow().export(ctx, &format)
}

fn generate_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let extractable = truth(&arguments[1])?;
    let usages = usages(ctx, &arguments[2])?;
    let params = Params::read(ctx, &arguments[0], "generateKey", NEW)?;
    let wanted = Wanted::read(ctx, &params, true)?;
    match keys::generate(wanted, extractable, usages).map_err(|problem| problem.throw(ctx))? {
        Made::Secret(key) => Ok(Class::instance(ctx.clone(), key)?.into_value()),
        Made::Pair(public, private) => {
            let pair = Object::new(ctx.clone())?;
            pair.set("publicKey", Class::instance(ctx.clone(), public)?)?;
            pair.set("privateKey", Class::instance(ctx.clone(), private)?)?;
            Ok(pair.into_value())
        }
    }
}

fn cipher<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>, encrypt: bool) -> Result<Value<'js>> {
    let key = key(ctx, &arguments[1])?;
    check_buffer(ctx, &arguments[2])?;
    let (what, usage) = match encrypt {
        true => ("encrypt", Usages::ENCRYPT),
        false => ("decrypt", Usages::DECRYPT),
    };
    let params = Params::read(ctx, &arguments[0], what, CIPHERS)?;
    let settings = aes::Settings {
        data: params.optional_bytes("additionalData")?,
        iv: params.bytes("iv")?,
        tag: params.optional_number("tagLength")?,
    };
    let key = key.borrow();
    may(ctx, &key, params.name, usage)?;
    let done = looking(ctx, &arguments[2], |data| match &key.material {
        Material::Secret(secret) if encrypt => aes::encrypt(secret, &settings, data),
        Material::Secret(secret) => aes::decrypt(secret, &settings, data),
        _ => Err(Problem::not_supported("The key is not for AES-GCM")),
    })?;
    buffer(ctx, done.map_err(|problem| problem.throw(ctx))?)
}

fn encrypt<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    cipher(ctx, arguments, true)
}

fn decrypt<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    cipher(ctx, arguments, false)
}

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

fn derive_bits<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
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

fn derive_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
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

fn unwrap_key<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    wrap_key(ctx, arguments)
}

fn wrap_key<'js>(ctx: &Ctx<'js>, _: Arguments<'_, 'js>) -> Result<Value<'js>> {
    let text = "There is no wrapping of keys; there is encrypt with AES-GCM, and exportKey";
    Err(Problem::not_supported(text).throw(ctx))
}

macro_rules! methods {
    ($($name:ident $js:literal $count:literal,)*) => {
        #[rquickjs::methods]
        impl SubtleCrypto {
            #[qjs(constructor)]
            pub fn new(ctx: Ctx<'_>) -> Result<Self> {
                Err(Exception::throw_type(&ctx, "Illegal constructor"))
            }
            $(
                #[qjs(rename = $js)]
                pub fn $name<'js>(ctx: Ctx<'js>, this: This<Value<'js>>, rest: Rest<Value<'js>>) -> Result<Promise<'js>> {
                    run(ctx, this, rest, $count, $name)
                }
            )*
            #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
            pub fn tag() -> &'static str {
                "SubtleCrypto"
            }
        }
    };
}
methods! {
    digest "digest" 2,
    sign "sign" 3,
    verify "verify" 4,
    import_key "importKey" 5,
    export_key "exportKey" 2,
    generate_key "generateKey" 3,
    encrypt "encrypt" 3,
    decrypt "decrypt" 3,
    derive_bits "deriveBits" 2,
    derive_key "deriveKey" 5,
    wrap_key "wrapKey" 4,
    unwrap_key "unwrapKey" 7,
}
