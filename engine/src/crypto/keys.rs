//! Making keys, importing them and exporting them, whatever their algorithm.
use super::ec::{self, Curve};
use super::hash::Hash;
use super::jwk::{self, Jwk};
use super::key::{Algorithm, CryptoKey, Kind, Material, Usages};
use super::params::Params;
use super::problem::{Outcome, Problem};
use super::{aes, ed25519, hmac, random, rsa};
use rquickjs::{Array, ArrayBuffer, Ctx, Object, Result, Value};

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

/// What the algorithm of an import or of a new key asks for.
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

    fn allowed(self, kind: Kind) -> Usages {
        match (self, kind) {
            (Wanted::Hmac { .. }, _) => Usages::MAC,
            (Wanted::AesGcm { .. }, _) => Usages::CIPHER,
            (Wanted::Pbkdf2 | Wanted::Hkdf, _) => Usages::DERIVE,
            (_, Kind::Private) => Usages::SIGN,
            (_, _) => Usages::VERIFY,
        }
    }

    fn symmetric(self) -> bool {
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

/// The most bytes that a new HMAC key may have.
const MOST: usize = 1 << 16;

fn check_usages(usages: Usages, allowed: Usages) -> Outcome<()> {
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

fn check_some(usages: Usages) -> Outcome<()> {
    if usages.any() {
        return Ok(());
    }
    Err(Problem::syntax(
        "A secret or private key needs at least one usage",
    ))
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

pub enum Made<'js> {
    Secret(CryptoKey<'js>),
    Pair(CryptoKey<'js>, CryptoKey<'js>),
}

pub fn generate<'js>(wanted: Wanted, extractable: bool, usages: Usages) -> Outcome<Made<'js>> {
    if let Some(bits) = wanted.bits()? {
        check_usages(usages, wanted.allowed(Kind::Secret))?;
        check_some(usages)?;
        let size = bits.div_ceil(8);
        if size > MOST {
            return Err(Problem::operation(
                "The key would be longer than 65,536 bytes",
            ));
        }
        let source = Source::Raw(random::bytes(size)?);
        return Ok(Made::Secret(
            Import {
                source,
                extractable,
                usages,
            }
            .run(wanted)?,
        ));
    }
    let allowed = Usages::SIGN.with(Usages::VERIFY);
    check_usages(usages, allowed)?;
    let (algorithm, [public, private]) = match wanted {
        Wanted::Ecdsa { curve } => (
            Algorithm::Ecdsa { curve },
            ec::Key::generate(curve)?.map(Material::Ec),
        ),
        _ => (
            Algorithm::Ed25519,
            ed25519::Key::generate()?.map(|key| Material::Ed25519(Box::new(key))),
        ),
    };
    check_some(usages.both(Usages::SIGN))?;
    let (verify, sign) = (usages.both(Usages::VERIFY), usages.both(Usages::SIGN));
    Ok(Made::Pair(
        CryptoKey::of(public, algorithm, Kind::Public, true, verify),
        CryptoKey::of(private, algorithm, Kind::Private, extractable, sign),
    ))
}

impl<'js> CryptoKey<'js> {
    pub fn export(&self, ctx: &Ctx<'js>, format: &str) -> Result<Value<'js>> {
        if !self.extractable {
            return Err(Problem::access("The key is not extractable").throw(ctx));
        }
        if format == "jwk" {
            return self.export_jwk(ctx);
        }
        let bytes = match (format, &self.material, self.kind) {
            ("raw", Material::Secret(secret), _) => secret.clone(),
            ("raw", Material::Ec(key), Kind::Public) => key.raw(),
            ("raw", Material::Ed25519(key), Kind::Public) => key.raw(),
            ("spki", Material::Rsa(key), Kind::Public) => key.spki(),
            ("spki", Material::Ec(key), Kind::Public) => key.spki(),
            ("spki", Material::Ed25519(key), Kind::Public) => key.spki(),
            ("pkcs8", Material::Rsa(key), Kind::Private) => key.pkcs8(),
            ("pkcs8", Material::Ec(key), Kind::Private) => key.pkcs8(),
            ("pkcs8", Material::Ed25519(key), Kind::Private) => key.pkcs8(),
            ("raw", Material::Ec(_) | Material::Ed25519(_), _)
            | ("spki" | "pkcs8", Material::Rsa(_) | Material::Ec(_) | Material::Ed25519(_), _) => {
                return Err(
                    Problem::access("The format does not fit the type of the key").throw(ctx),
                );
            }
            _ => {
                let text = "There is no such format for keys of this algorithm";
                return Err(Problem::not_supported(text).throw(ctx));
            }
        };
        Ok(ArrayBuffer::new(ctx.clone(), bytes)?.into_value())
    }

    fn export_jwk(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let (kty, alg, numbers) = match (&self.material, self.algorithm) {
            (Material::Secret(k), Algorithm::Hmac { hash, .. }) => (
                "oct",
                format!("HS{}", hash.number()),
                vec![("k", k.clone())],
            ),
            (Material::Secret(k), Algorithm::AesGcm { bits }) => {
                ("oct", format!("A{bits}GCM"), vec![("k", k.clone())])
            }
            (Material::Rsa(key), Algorithm::RsaPss { hash }) => {
                ("RSA", format!("PS{}", hash.number()), key.numbers())
            }
            (Material::Rsa(key), Algorithm::RsaPkcs1 { hash }) => {
                ("RSA", format!("RS{}", hash.number()), key.numbers())
            }
            (Material::Ec(key), _) => ("EC", String::new(), key.numbers()),
            (Material::Ed25519(key), _) => ("OKP", "Ed25519".into(), key.numbers()),
            _ => {
                let text = "Keys of this algorithm cannot be exported";
                return Err(Problem::not_supported(text).throw(ctx));
            }
        };
        let object = Object::new(ctx.clone())?;
        let ops = Array::new(ctx.clone())?;
        for (at, name) in self.usages.names().enumerate() {
            ops.set(at, name)?;
        }
        object.set("key_ops", ops)?;
        object.set("ext", self.extractable)?;
        object.set("kty", kty)?;
        match self.algorithm {
            Algorithm::Ecdsa { curve } => object.set("crv", curve.name())?,
            Algorithm::Ed25519 => object.set("crv", "Ed25519")?,
            _ => {}
        }
        for (name, bytes) in numbers {
            object.set(name, jwk::encode(&bytes))?;
        }
        if !alg.is_empty() {
            object.set("alg", alg)?;
        }
        Ok(object.into_value())
    }
}
