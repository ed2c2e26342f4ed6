//! `sign` and `verify` of `crypto.subtle`.
use super::arguments::{Arguments, buffer, check_buffer, key, looking, may};
use super::hash::Hash;
use super::hmac;
use super::key::{Algorithm, Material, Usages};
use super::params::Params;
use super::problem::Problem;
use crate::bytes;
use rquickjs::{Ctx, Result, Value};

const SIGNING: &[&str] = &["HMAC", "RSASSA-PKCS1-v1_5", "RSA-PSS", "ECDSA", "Ed25519"];

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

pub fn sign<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
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

pub fn verify<'js>(ctx: &Ctx<'js>, arguments: Arguments<'_, 'js>) -> Result<Value<'js>> {
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
