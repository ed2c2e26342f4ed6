//! HMAC.
use super::hash::Hash;
use super::key::{Algorithm, Kind, Material};
use super::keys::{Import, Source};
use super::problem::{Outcome, Problem};
use ::hmac::digest::KeyInit;
use ::hmac::{Hmac, Mac};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

macro_rules! keyed {
    ($hash:expr, $key:expr, $data:expr, $finish:expr) => {
        match $hash {
            Hash::Sha1 => start::<Hmac<Sha1>>($key, $data).map($finish),
            Hash::Sha256 => start::<Hmac<Sha256>>($key, $data).map($finish),
            Hash::Sha384 => start::<Hmac<Sha384>>($key, $data).map($finish),
            Hash::Sha512 => start::<Hmac<Sha512>>($key, $data).map($finish),
        }
    };
}

fn start<M: Mac + KeyInit>(key: &[u8], data: &[u8]) -> Outcome<M> {
    let mut mac = <M as Mac>::new_from_slice(key)
        .map_err(|_| Problem::operation("The key has a length that HMAC cannot take"))?;
    mac.update(data);
    Ok(mac)
}

pub fn sign(hash: Hash, key: &[u8], data: &[u8]) -> Outcome<Vec<u8>> {
    keyed!(hash, key, data, |mac| mac.finalize().into_bytes().to_vec())
}

/// Takes the same time for each wrong signature of one length.
pub fn verify(hash: Hash, key: &[u8], data: &[u8], signature: &[u8]) -> Outcome<bool> {
    keyed!(hash, key, data, |mac| mac.verify_slice(signature).is_ok())
}

pub fn import(request: &Import, hash: Hash, length: Option<u32>) -> Outcome<(Material, Algorithm, Kind)> {
    let mut secret = match &request.source {
        Source::Raw(bytes) => bytes.clone(),
        Source::Jwk(jwk) => {
            jwk.expect("oct", &format!("HS{}", hash.number()), "sig", request)?;
            jwk.bytes(&jwk.k, "k")?
        }
        _ => return Err(request.wrong_format()),
    };
    let all = secret.len() * 8;
    let bits = length.map_or(all, |length| length as usize);
    if secret.is_empty() || bits > all || bits + 8 <= all {
        return Err(Problem::data("The key's bytes and its length do not fit together"));
    }
    if let (Some(last), 1..) = (secret.last_mut(), bits % 8) {
        *last &= 0xff << (8 - bits % 8);
    }
    Ok((Material::Secret(secret), Algorithm::Hmac { hash, bits }, Kind::Secret))
}

/// The length of a new key, where none was asked for.
pub fn default_bits(hash: Hash) -> usize {
    hash.block() * 8
}
