//! AES-GCM with an iv of 12 bytes and a tag of 128 bits, which is what the standard advises and what all protocols use.
use super::key::{Algorithm, Kind, Material};
use super::import::{Import, Source};
use super::problem::{Outcome, Problem};
use aes_gcm::aead::consts::U12;
use aes_gcm::aead::{Aead, Payload};
use aes_gcm::aes::Aes192;
use aes_gcm::{Aes128Gcm, Aes256Gcm, AesGcm, KeyInit, Nonce};

pub struct Settings {
    pub iv: Vec<u8>,
    pub data: Vec<u8>,
    pub tag: Option<u32>,
}

pub fn import(request: &Import) -> Outcome<(Material, Algorithm, Kind)> {
    let secret = match &request.source {
        Source::Raw(bytes) => bytes.clone(),
        Source::Jwk(jwk) => {
            let secret = jwk.bytes(&jwk.k, "k")?;
            jwk.expect("oct", &format!("A{}GCM", secret.len() * 8), "enc", request)?;
            secret
        }
        _ => return Err(request.wrong_format()),
    };
    let bits = secret.len() * 8;
    check_bits(bits).map_err(|_| Problem::data("An AES key has 128, 192 or 256 bits"))?;
    Ok((
        Material::Secret(secret),
        Algorithm::AesGcm { bits },
        Kind::Secret,
    ))
}

pub fn check_bits(bits: usize) -> Outcome<()> {
    match bits {
        128 | 192 | 256 => Ok(()),
        _ => Err(Problem::operation("An AES key has 128, 192 or 256 bits")),
    }
}

impl Settings {
    fn check(&self) -> Outcome<Nonce<U12>> {
        if !matches!(self.tag, None | Some(32 | 64 | 96 | 104 | 112 | 120 | 128))
            || self.iv.is_empty()
        {
            return Err(Problem::operation(
                "The length of the iv or of the tag is not one of AES-GCM",
            ));
        }
        if !matches!(self.tag, None | Some(128)) {
            return Err(Problem::not_supported("AES-GCM has a tag of 128 bits only"));
        }
        let iv: Result<[u8; 12], _> = self.iv.as_slice().try_into();
        iv.map(Nonce::from)
            .map_err(|_| Problem::not_supported("AES-GCM has an iv of 12 bytes only"))
    }
}

macro_rules! run {
    ($key:expr, $call:ident, $settings:expr, $msg:expr) => {{
        let nonce = &$settings.check()?;
        let aad: &[u8] = &$settings.data;
        let payload = Payload { msg: $msg, aad };
        let done = match $key.len() {
            16 => Aes128Gcm::new_from_slice($key).map(|aes| aes.$call(nonce, payload)),
            24 => AesGcm::<Aes192, U12>::new_from_slice($key).map(|aes| aes.$call(nonce, payload)),
            _ => Aes256Gcm::new_from_slice($key).map(|aes| aes.$call(nonce, payload)),
        };
        match done {
            Ok(Ok(bytes)) => Ok(bytes),
            _ => Err(Problem::operation(
                "The operation failed: the data, the iv or the key is wrong",
            )),
        }
    }};
}

pub fn encrypt(key: &[u8], settings: &Settings, data: &[u8]) -> Outcome<Vec<u8>> {
    run!(key, encrypt, settings, data)
}

pub fn decrypt(key: &[u8], settings: &Settings, data: &[u8]) -> Outcome<Vec<u8>> {
    run!(key, decrypt, settings, data)
}
