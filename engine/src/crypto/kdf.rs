//! PBKDF2 and HKDF.
use super::hash::Hash;
use super::hmac::Keyed;
use super::problem::{Outcome, Problem};

pub enum Settings {
    Pbkdf2 {
        hash: Hash,
        salt: Vec<u8>,
        rounds: u32,
    },
    Hkdf {
        hash: Hash,
        salt: Vec<u8>,
        info: Vec<u8>,
    },
}

/// The most that one call may ask for, in bytes.
const MOST: usize = 1 << 20;

pub fn derive(secret: &[u8], settings: &Settings, bits: u32) -> Outcome<Vec<u8>> {
    let size = bits as usize / 8;
    if !bits.is_multiple_of(8) || size > MOST {
        return Err(Problem::operation(
            "The length must be whole bytes, up to 1 MiB",
        ));
    }
    match settings {
        Settings::Pbkdf2 { rounds: 0, .. } => {
            Err(Problem::operation("PBKDF2 needs at least one iteration"))
        }
        Settings::Pbkdf2 { hash, salt, rounds } => pbkdf2(*hash, secret, salt, *rounds, size),
        Settings::Hkdf { hash, .. } if size > 255 * hash.size() => {
            Err(Problem::operation("HKDF gives at most 255 digests"))
        }
        Settings::Hkdf { hash, salt, info } => hkdf(*hash, secret, salt, info, size),
    }
}

/// HMACs that one call may compute: a few seconds. No interrupt reaches this loop.
const MOST_ROUNDS: u64 = 4_000_000;

/// RFC 8018, section 5.2.
fn pbkdf2(hash: Hash, secret: &[u8], salt: &[u8], rounds: u32, size: usize) -> Outcome<Vec<u8>> {
    if u64::from(rounds) * size.div_ceil(hash.size()) as u64 > MOST_ROUNDS {
        let text = format!("PBKDF2 may take {MOST_ROUNDS} iterations for all blocks of the result together");
        return Err(Problem::operation(text));
    }
    let keyed = Keyed::new(hash, secret)?;
    let mut out = Vec::with_capacity(size + 64);
    for block in 1u32.. {
        if out.len() >= size {
            break;
        }
        let (mut last, start) = ([0; 64], out.len());
        let first = keyed.clone().with(salt).with(&block.to_be_bytes());
        let len = first.finish(&mut last);
        out.extend_from_slice(&last[..len]);
        for _ in 1..rounds {
            keyed.clone().with(&last[..len]).finish(&mut last);
            out[start..]
                .iter_mut()
                .zip(&last)
                .for_each(|(sum, byte)| *sum ^= byte);
        }
    }
    out.truncate(size);
    Ok(out)
}

/// RFC 5869. An empty salt is the same as one of zeros, since HMAC fills its key with zeros.
fn hkdf(hash: Hash, secret: &[u8], salt: &[u8], info: &[u8], size: usize) -> Outcome<Vec<u8>> {
    let mut code = [0; 64];
    let len = Keyed::new(hash, salt)?.with(secret).finish(&mut code);
    let keyed = Keyed::new(hash, &code[..len])?;
    let mut out = Vec::with_capacity(size + 64);
    let mut last = 0;
    for block in 1u8..=255 {
        if out.len() >= size {
            break;
        }
        let next = keyed.clone().with(&code[..last]).with(info).with(&[block]);
        last = next.finish(&mut code);
        out.extend_from_slice(&code[..last]);
    }
    out.truncate(size);
    Ok(out)
}
