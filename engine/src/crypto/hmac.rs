//! HMAC.
use super::hash::Hash;
use super::key::{Algorithm, Kind, Material};
use super::import::{Import, Source};
use super::problem::{Outcome, Problem};
use ::hmac::{Hmac, Mac};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

/// HMAC with any of the digests, so that what is built on it is there once and not once for each digest.
#[derive(Clone)]
pub enum Keyed {
    Sha1(Hmac<Sha1>),
    Sha256(Hmac<Sha256>),
    Sha384(Hmac<Sha384>),
    Sha512(Hmac<Sha512>),
}

macro_rules! each {
    ($keyed:expr, $mac:ident => $do:expr) => {
        match $keyed {
            Keyed::Sha1($mac) => $do,
            Keyed::Sha256($mac) => $do,
            Keyed::Sha384($mac) => $do,
            Keyed::Sha512($mac) => $do,
        }
    };
}

impl Keyed {
    pub fn new(hash: Hash, key: &[u8]) -> Outcome<Keyed> {
        let made = match hash {
            Hash::Sha1 => Hmac::new_from_slice(key).map(Keyed::Sha1),
            Hash::Sha256 => Hmac::new_from_slice(key).map(Keyed::Sha256),
            Hash::Sha384 => Hmac::new_from_slice(key).map(Keyed::Sha384),
            Hash::Sha512 => Hmac::new_from_slice(key).map(Keyed::Sha512),
        };
        made.map_err(|_| Problem::operation("The key has a length that HMAC cannot take"))
    }
    pub fn with(mut self, data: &[u8]) -> Keyed {
        each!(&mut self, mac => mac.update(data));
        self
    }
    /// Writes the code and says how long it is.
    pub fn finish(self, to: &mut [u8; 64]) -> usize {
        each!(self, mac => {
            let code = mac.finalize().into_bytes();
            to[..code.len()].copy_from_slice(&code);
            code.len()
        })
    }
}

pub fn sign(hash: Hash, key: &[u8], data: &[u8]) -> Outcome<Vec<u8>> {
    let mut code = [0; 64];
    let size = Keyed::new(hash, key)?.with(data).finish(&mut code);
    Ok(code[..size].to_vec())
}

/// Takes the same time for each wrong signature of one length.
pub fn verify(hash: Hash, key: &[u8], data: &[u8], signature: &[u8]) -> Outcome<bool> {
    let keyed = Keyed::new(hash, key)?.with(data);
    Ok(each!(keyed, mac => mac.verify_slice(signature).is_ok()))
}

pub fn import(
    request: &Import,
    hash: Hash,
    length: Option<u32>,
) -> Outcome<(Material, Algorithm, Kind)> {
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
        return Err(Problem::data(
            "The key's bytes and its length do not fit together",
        ));
    }
    if let (Some(last), 1..) = (secret.last_mut(), bits % 8) {
        *last &= 0xff << (8 - bits % 8);
    }
    Ok((
        Material::Secret(secret),
        Algorithm::Hmac { hash, bits },
        Kind::Secret,
    ))
}

/// The length of a new key, where none was asked for.
pub fn default_bits(hash: Hash) -> usize {
    hash.block() * 8
}
