//! `crypto.subtle`: each method reads its arguments, which may run JavaScript, and only then looks at bytes and works.
use super::aes;
use super::arguments::{Arguments, buffer, check_buffer, key, looking, may};
use super::deriving::{derive_bits, derive_key};
use super::hash::{self, Hash};
use super::key::{Material, Usages};
use super::making::{export_key, generate_key, import_key};
use super::params::Params;
use super::problem::{Problem, type_error};
use super::signing::{sign, verify};
use crate::bytes;
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::{Rest, This};
use rquickjs::{Class, Ctx, Error, Exception, JsLifetime, Promise, Result, Value, class::Trace};

#[derive(Trace, JsLifetime)]
#[rquickjs::class(frozen)]
pub struct SubtleCrypto {}

const CIPHERS: &[&str] = &["AES-GCM"];

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

fn digest<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
    check_buffer(ctx, &arguments[1])?;
    let params = Params::read(ctx, &arguments[0], "digest", hash::NAMES)?;
    let hash = Hash::of(params.name).unwrap_or(Hash::Sha256);
    buffer(ctx, looking(ctx, &arguments[1], |data| hash.digest(data))?)
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
    crate::memory::check(ctx, 2 * bytes::place(&arguments[2]).map_or(0, |place| place.len))?;
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
