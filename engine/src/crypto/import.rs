//! Importing keys, whatever their algorithm.
use super::jwk::Jwk;
use super::key::{Algorithm, CryptoKey, Kind, Material, Usages};
use super::problem::{Outcome, Problem};
use super::wanted::{Wanted, check_some, check_usages};
use super::{aes, ec, ed25519, hmac, rsa};

pub enum Source {
    Raw(Vec<u8>),
    Spki(Vec<u8>),
    Pkcs8(Vec<u8>),
    Jwk(Box<Jwk>),
}

pub struct Import {
    pub source: Source,
    pub extractable: bool,
    pub usages: Usages,
}

impl Import {
    pub fn wrong_format(&self) -> Problem {
        Problem::not_supported("There is no such format for keys of this algorithm")
    }

    fn kind(&self, wanted: Wanted) -> Kind {
        match &self.source {
            _ if wanted.symmetric() => Kind::Secret,
            Source::Raw(_) | Source::Spki(_) => Kind::Public,
            Source::Pkcs8(_) => Kind::Private,
            Source::Jwk(jwk) if jwk.d.is_some() => Kind::Private,
            Source::Jwk(_) => Kind::Public,
        }
    }

    pub fn run<'js>(&self, wanted: Wanted) -> Outcome<CryptoKey<'js>> {
        let numbers = matches!(wanted, Wanted::RsaPkcs1 { .. } | Wanted::RsaPss { .. });
        if numbers && matches!(self.source, Source::Raw(_)) {
            return Err(self.wrong_format());
        }
        let kind = self.kind(wanted);
        check_usages(self.usages, wanted.allowed(kind))?;
        let (material, algorithm, kind) = match wanted {
            Wanted::Hmac { hash, length } => hmac::import(self, hash, length)?,
            Wanted::AesGcm { .. } => aes::import(self)?,
            Wanted::RsaPkcs1 { hash } => {
                let key = rsa::Key::import(self, &format!("RS{}", hash.number()))?;
                (
                    Material::Rsa(Box::new(key)),
                    Algorithm::RsaPkcs1 { hash },
                    kind,
                )
            }
            Wanted::RsaPss { hash } => {
                let key = rsa::Key::import(self, &format!("PS{}", hash.number()))?;
                (
                    Material::Rsa(Box::new(key)),
                    Algorithm::RsaPss { hash },
                    kind,
                )
            }
            Wanted::Ecdsa { curve } => {
                let key = ec::Key::import(self, curve)?;
                (Material::Ec(key), Algorithm::Ecdsa { curve }, kind)
            }
            Wanted::Ed25519 => {
                let key = ed25519::Key::import(self)?;
                (Material::Ed25519(Box::new(key)), Algorithm::Ed25519, kind)
            }
            Wanted::Pbkdf2 | Wanted::Hkdf => {
                let Source::Raw(secret) = &self.source else {
                    return Err(self.wrong_format());
                };
                if self.extractable {
                    return Err(Problem::syntax("A key to derive from is not extractable"));
                }
                let algorithm = match wanted {
                    Wanted::Pbkdf2 => Algorithm::Pbkdf2,
                    _ => Algorithm::Hkdf,
                };
                (Material::Secret(secret.clone()), algorithm, kind)
            }
        };
        if kind != Kind::Public {
            check_some(self.usages)?;
        }
        Ok(CryptoKey::of(
            material,
            algorithm,
            kind,
            self.extractable,
            self.usages,
        ))
    }
}
