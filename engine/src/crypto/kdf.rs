//! PBKDF2 and HKDF.
use super::hash::Hash;
use super::problem::{Outcome, Problem};
use ::hmac::Hmac;
use hkdf::Hkdf;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

pub enum Settings {
    Pbkdf2 { hash: Hash, salt: Vec<u8>, rounds: u32 },
    Hkdf { hash: Hash, salt: Vec<u8>, info: Vec<u8> },
}

/// The most that one call may ask for, in bytes.
const MOST: usize = 1 << 20;

pub fn derive(secret: &[u8], settings: &Settings, bits: u32) -> Outcome<Vec<u8>> {
    let size = bits as usize / 8;
    if !bits.is_multiple_of(8) || size > MOST {
        return Err(Problem::operation("The length must be whole bytes, up to 1 MiB"));
    }
    let mut out = vec![0; size];
    match settings {
        Settings::Pbkdf2 { hash, salt, rounds } => {
            if *rounds == 0 {
                return Err(Problem::operation("PBKDF2 needs at least one iteration"));
            }
            let done = match hash {
                Hash::Sha1 => pbkdf2::pbkdf2::<Hmac<Sha1>>(secret, salt, *rounds, &mut out),
                Hash::Sha256 => pbkdf2::pbkdf2::<Hmac<Sha256>>(secret, salt, *rounds, &mut out),
                Hash::Sha384 => pbkdf2::pbkdf2::<Hmac<Sha384>>(secret, salt, *rounds, &mut out),
                Hash::Sha512 => pbkdf2::pbkdf2::<Hmac<Sha512>>(secret, salt, *rounds, &mut out),
            };
            done.map_err(|_| Problem::operation("The secret has a length that HMAC cannot take"))?;
        }
        Settings::Hkdf { hash, salt, info } => {
            let done = match hash {
                Hash::Sha1 => Hkdf::<Sha1>::new(Some(salt), secret).expand(info, &mut out),
                Hash::Sha256 => Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut out),
                Hash::Sha384 => Hkdf::<Sha384>::new(Some(salt), secret).expand(info, &mut out),
                Hash::Sha512 => Hkdf::<Sha512>::new(Some(salt), secret).expand(info, &mut out),
            };
            done.map_err(|_| Problem::operation("HKDF gives at most 255 digests"))?;
        }
    }
    Ok(out)
}
