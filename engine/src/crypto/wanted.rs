//! What the algorithm of an import or of a new key asks for.
use super::ec::Curve;
use super::hash::Hash;
use super::key::{Kind, Usages};
use super::params::Params;
use super::problem::{Outcome, Problem};
use super::{aes, hmac};
use rquickjs::{Ctx, Result};

#[derive(Clone, Copy)]
pub enum Wanted {
    Hmac { hash: Hash, length: Option<u32> },
    RsaPkcs1 { hash: Hash },
    RsaPss { hash: Hash },
    Ecdsa { curve: Curve },
    Ed25519,
    AesGcm { length: Option<u32> },
    Pbkdf2,
    Hkdf,
}

impl Wanted {
    pub fn read<'js>(ctx: &Ctx<'js>, params: &Params<'js>, new: bool) -> Result<Wanted> {
        Ok(match params.name {
            "HMAC" => {
                let hash = params.hash()?;
                let length = params.optional_number("length")?;
                Wanted::Hmac { hash, length }
            }
            "RSASSA-PKCS1-v1_5" => Wanted::RsaPkcs1 {
                hash: params.hash()?,
            },
            "RSA-PSS" => Wanted::RsaPss {
                hash: params.hash()?,
            },
            "ECDSA" => {
                let name = params.text("namedCurve")?;
                let curve = Curve::of(&name).map_err(|problem| problem.throw(ctx))?;
                Wanted::Ecdsa { curve }
            }
            "Ed25519" => Wanted::Ed25519,
            "AES-GCM" if new => Wanted::AesGcm {
                length: Some(params.number("length")?),
            },
            "AES-GCM" => Wanted::AesGcm { length: None },
            "PBKDF2" => Wanted::Pbkdf2,
            _ => Wanted::Hkdf,
        })
    }

    pub fn allowed(self, kind: Kind) -> Usages {
        match (self, kind) {
            (Wanted::Hmac { .. }, _) => Usages::MAC,
            (Wanted::AesGcm { .. }, _) => Usages::CIPHER,
            (Wanted::Pbkdf2 | Wanted::Hkdf, _) => Usages::DERIVE,
            (_, Kind::Private) => Usages::SIGN,
            (_, _) => Usages::VERIFY,
        }
    }

    pub fn symmetric(self) -> bool {
        matches!(
            self,
            Wanted::Hmac { .. } | Wanted::AesGcm { .. } | Wanted::Pbkdf2 | Wanted::Hkdf
        )
    }

    /// The bits of a new or derived key.
    pub fn bits(self) -> Outcome<Option<usize>> {
        match self {
            Wanted::Hmac {
                length: Some(0), ..
            } => Err(Problem::operation("The length is zero")),
            Wanted::Hmac { hash, length } => {
                Ok(Some(length.map_or(hmac::default_bits(hash), |length| {
                    length as usize
                })))
            }
            Wanted::AesGcm { length } => {
                let bits = length.unwrap_or(0) as usize;
                aes::check_bits(bits)?;
                Ok(Some(bits))
            }
            _ => Ok(None),
        }
    }
}

pub fn check_usages(usages: Usages, allowed: Usages) -> Outcome<()> {
    if usages.within(allowed) {
        return Ok(());
    }
    let list: Vec<&str> = allowed.names().collect();
    let text = format!(
        "A key of this kind can have the usages: {}",
        list.join(", ")
    );
    Err(Problem::syntax(text))
}

pub fn check_some(usages: Usages) -> Outcome<()> {
    if usages.any() {
        return Ok(());
    }
    Err(Problem::syntax(
        "A secret or private key needs at least one usage",
    ))
}
