//! `crypto`: random values, digests, HMAC, and the verification of signatures.
use crate::bytes::bytes_of;
use crate::wit::wasi::random::random;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use rquickjs::{ArrayBuffer, Class, Ctx, Exception, Function, JsLifetime, Object, Promise, Result, TypedArray, Value, class::Trace};
use sha2::{Digest, Sha256, Sha384, Sha512};

enum Key {
    Hmac(Vec<u8>),
    #[cfg(feature = "rsa")]
    Rsa(rsa::RsaPublicKey),
    #[cfg(feature = "p256")]
    P256(p256::ecdsa::VerifyingKey),
    #[cfg(feature = "ed25519")]
    Ed25519(ed25519_dalek::VerifyingKey),
}

#[derive(Trace, JsLifetime)]
#[rquickjs::class]
pub struct CryptoKey {
    #[qjs(skip_trace)]
    key: Key,
}
#[rquickjs::methods]
impl CryptoKey {}

fn name_of(algorithm: &Value<'_>) -> Result<String> {
    match algorithm.as_object() {
        Some(object) => object.get("name"),
        None => algorithm.get(),
    }
}

fn needed(ctx: &Ctx<'_>, value: &Value<'_>) -> Result<Vec<u8>> {
    bytes_of(value)?.ok_or_else(|| Exception::throw_type(ctx, "expected bytes"))
}

fn digest<'js>(ctx: &Ctx<'js>, algorithm: Value<'js>, data: Value<'js>) -> Result<Value<'js>> {
    let data = needed(ctx, &data)?;
    let hash = match name_of(&algorithm)?.as_str() {
        "SHA-256" => Sha256::digest(data).to_vec(),
        "SHA-384" => Sha384::digest(data).to_vec(),
        "SHA-512" => Sha512::digest(data).to_vec(),
        other => return Err(Exception::throw_type(ctx, &format!("no digest {other}"))),
    };
    Ok(ArrayBuffer::new(ctx.clone(), hash)?.into_value())
}

fn import_key<'js>(ctx: &Ctx<'js>, format: String, data: Value<'js>, algorithm: Value<'js>) -> Result<Value<'js>> {
    let bad = || Exception::throw_type(ctx, "not a key of this algorithm");
    let part = |name: &str| -> Result<Vec<u8>> {
        let text: String = data.as_object().ok_or_else(bad)?.get(name)?;
        URL_SAFE_NO_PAD.decode(text).map_err(|_| bad())
    };
    let key = match (name_of(&algorithm)?.as_str(), format.as_str()) {
        ("HMAC", "raw") => Key::Hmac(needed(ctx, &data)?),
        #[cfg(feature = "rsa")]
        ("RSASSA-PKCS1-v1_5", "jwk") => {
            let number = |name| part(name).map(|b| rsa::BigUint::from_bytes_be(&b));
            Key::Rsa(rsa::RsaPublicKey::new(number("n")?, number("e")?).map_err(|_| bad())?)
        }
        #[cfg(feature = "p256")]
        ("ECDSA", "jwk") => {
            let point = [vec![4], part("x")?, part("y")?].concat();
            Key::P256(p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).map_err(|_| bad())?)
        }
        #[cfg(feature = "ed25519")]
        ("Ed25519", "jwk") => {
            let bytes: [u8; 32] = part("x")?.try_into().map_err(|_| bad())?;
            Key::Ed25519(ed25519_dalek::VerifyingKey::from_bytes(&bytes).map_err(|_| bad())?)
        }
        _ => return Err(Exception::throw_type(ctx, "no such algorithm")),
    };
    Ok(Class::instance(ctx.clone(), CryptoKey { key })?.into_value())
}

fn verify<'js>(ctx: &Ctx<'js>, key: &Class<'js, CryptoKey>, signature: Value<'js>, data: Value<'js>) -> Result<bool> {
    let (signature, data) = (needed(ctx, &signature)?, needed(ctx, &data)?);
    Ok(match &key.borrow().key {
        Key::Hmac(secret) => {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
            mac.update(&data);
            mac.verify_slice(&signature).is_ok()
        }
        #[cfg(feature = "rsa")]
        Key::Rsa(key) => {
            // The prefix of PKCS #1 for SHA-256.
            let scheme = rsa::Pkcs1v15Sign {
                hash_len: Some(32),
                prefix: [0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20].into(),
            };
            key.verify(scheme, &Sha256::digest(&data), &signature).is_ok()
        }
        #[cfg(feature = "p256")]
        Key::P256(key) => {
            use p256::ecdsa::signature::Verifier;
            p256::ecdsa::Signature::from_slice(&signature).is_ok_and(|s| key.verify(&data, &s).is_ok())
        }
        #[cfg(feature = "ed25519")]
        Key::Ed25519(key) => ed25519_dalek::Signature::from_slice(&signature).is_ok_and(|s| key.verify_strict(&data, &s).is_ok()),
    })
}

fn sign<'js>(ctx: &Ctx<'js>, key: &Class<'js, CryptoKey>, data: Value<'js>) -> Result<Value<'js>> {
    let data = needed(ctx, &data)?;
    let key = key.borrow();
    let Key::Hmac(secret) = &key.key else { return Err(Exception::throw_type(ctx, "only HMAC signs")) };
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any length");
    mac.update(&data);
    Ok(ArrayBuffer::new(ctx.clone(), mac.finalize().into_bytes().to_vec())?.into_value())
}

fn promised<'js>(ctx: &Ctx<'js>, outcome: Result<Value<'js>>) -> Result<Promise<'js>> {
    let (promise, resolve, reject) = ctx.promise()?;
    match outcome {
        Ok(value) => resolve.call::<_, ()>((value,))?,
        Err(error) => reject.call::<_, ()>((crate::hooks::caught(ctx, error),))?,
    }
    Ok(promise)
}

fn random_uuid() -> String {
    let mut b = random::get_random_bytes(16);
    b[6] = b[6] & 15 | 64;
    b[8] = b[8] & 63 | 128;
    let hex: String = b.iter().map(|b| format!("{b:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn random_values<'js>(ctx: Ctx<'js>, array: TypedArray<'js, u8>) -> Result<TypedArray<'js, u8>> {
    let bytes = random::get_random_bytes(array.len() as u64);
    let to = array.as_raw().ok_or_else(|| Exception::throw_type(&ctx, "the array is detached"))?;
    // SAFETY: `to` has the length of `bytes`, and nothing else runs here.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.as_ptr().cast::<u8>(), bytes.len()) };
    Ok(array)
}

pub fn install(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    Class::<CryptoKey>::define(&globals)?;
    let (crypto, subtle) = (Object::new(ctx.clone())?, Object::new(ctx.clone())?);
    crypto.set("randomUUID", Function::new(ctx.clone(), random_uuid)?)?;
    crypto.set("getRandomValues", Function::new(ctx.clone(), random_values)?)?;
    subtle.set("digest", Function::new(ctx.clone(), js_digest)?)?;
    subtle.set("importKey", Function::new(ctx.clone(), js_import)?)?;
    subtle.set("verify", Function::new(ctx.clone(), js_verify)?)?;
    subtle.set("sign", Function::new(ctx.clone(), js_sign)?)?;
    crypto.set("subtle", subtle)?;
    globals.set("crypto", crypto)
}

fn js_digest<'js>(ctx: Ctx<'js>, algorithm: Value<'js>, data: Value<'js>) -> Result<Promise<'js>> {
    promised(&ctx, digest(&ctx, algorithm, data))
}
fn js_import<'js>(ctx: Ctx<'js>, format: String, data: Value<'js>, algorithm: Value<'js>) -> Result<Promise<'js>> {
    promised(&ctx, import_key(&ctx, format, data, algorithm))
}
fn js_verify<'js>(ctx: Ctx<'js>, _algorithm: Value<'js>, key: Class<'js, CryptoKey>, signature: Value<'js>, data: Value<'js>) -> Result<Promise<'js>> {
    promised(&ctx, verify(&ctx, &key, signature, data).map(|good| Value::new_bool(ctx.clone(), good)))
}
fn js_sign<'js>(ctx: Ctx<'js>, _algorithm: Value<'js>, key: Class<'js, CryptoKey>, data: Value<'js>) -> Result<Promise<'js>> {
    promised(&ctx, sign(&ctx, &key, data))
}
