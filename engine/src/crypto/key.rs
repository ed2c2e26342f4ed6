//! `CryptoKey`.
use super::ec::Curve;
use super::hash::Hash;
use rquickjs::atom::PredefinedAtom;
use rquickjs::class::{Trace, Tracer};
use rquickjs::{Array, Ctx, Exception, JsLifetime, Object, Result, TypedArray, Value};
use std::cell::RefCell;

pub enum Material {
    Secret(Vec<u8>),
    Rsa(Box<super::rsa::Key>),
    Ec(super::ec::Key),
    Ed25519(Box<super::ed25519::Key>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Secret,
    Public,
    Private,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Hmac { hash: Hash, bits: usize },
    RsaPkcs1 { hash: Hash },
    RsaPss { hash: Hash },
    Ecdsa { curve: Curve },
    Ed25519,
    AesGcm { bits: usize },
    Pbkdf2,
    Hkdf,
}

impl Algorithm {
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Hmac { .. } => "HMAC",
            Algorithm::RsaPkcs1 { .. } => "RSASSA-PKCS1-v1_5",
            Algorithm::RsaPss { .. } => "RSA-PSS",
            Algorithm::Ecdsa { .. } => "ECDSA",
            Algorithm::Ed25519 => "Ed25519",
            Algorithm::AesGcm { .. } => "AES-GCM",
            Algorithm::Pbkdf2 => "PBKDF2",
            Algorithm::Hkdf => "HKDF",
        }
    }
}

pub const USAGES: [&str; 8] = [
    "encrypt",
    "decrypt",
    "sign",
    "verify",
    "deriveKey",
    "deriveBits",
    "wrapKey",
    "unwrapKey",
];

/// A set of usages.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Usages(u8);

impl Usages {
    pub const NONE: Usages = Usages(0);
    pub const ENCRYPT: Usages = Usages(1);
    pub const DECRYPT: Usages = Usages(2);
    pub const SIGN: Usages = Usages(4);
    pub const VERIFY: Usages = Usages(8);
    pub const DERIVE_KEY: Usages = Usages(16);
    pub const DERIVE_BITS: Usages = Usages(32);
    /// What a key of a cipher may do, of which wrapping is not offered here.
    pub const CIPHER: Usages = Usages(1 | 2 | 64 | 128);
    pub const MAC: Usages = Usages(4 | 8);
    pub const DERIVE: Usages = Usages(16 | 32);

    pub fn of(name: &str) -> Option<Usages> {
        USAGES
            .iter()
            .position(|known| *known == name)
            .map(|at| Usages(1 << at))
    }
    pub fn with(self, other: Usages) -> Usages {
        Usages(self.0 | other.0)
    }
    pub fn both(self, other: Usages) -> Usages {
        Usages(self.0 & other.0)
    }
    pub fn any(self) -> bool {
        self.0 != 0
    }
    pub fn within(self, other: Usages) -> bool {
        self.0 & !other.0 == 0
    }
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let chosen = move |(at, _): &(usize, _)| self.0 & 1 << at != 0;
        USAGES
            .into_iter()
            .enumerate()
            .filter(chosen)
            .map(|(_, name)| name)
    }
}

#[derive(JsLifetime)]
#[rquickjs::class(frozen)]
pub struct CryptoKey<'js> {
    pub material: Material,
    pub kind: Kind,
    pub algorithm: Algorithm,
    pub extractable: bool,
    pub usages: Usages,
    /// The objects of the getters: each is made once.
    shown_algorithm: RefCell<Option<Value<'js>>>,
    shown_usages: RefCell<Option<Value<'js>>>,
}

impl<'js> Trace<'js> for CryptoKey<'js> {
    fn trace<'a>(&self, tracer: Tracer<'a, 'js>) {
        for shown in [&self.shown_algorithm, &self.shown_usages] {
            if let Ok(shown) = shown.try_borrow() {
                shown.trace(tracer);
            }
        }
    }
}

impl<'js> CryptoKey<'js> {
    pub fn of(
        material: Material,
        algorithm: Algorithm,
        kind: Kind,
        extractable: bool,
        usages: Usages,
    ) -> Self {
        CryptoKey {
            material,
            kind,
            algorithm,
            // A public key is no secret.
            extractable,
            usages,
            shown_algorithm: RefCell::default(),
            shown_usages: RefCell::default(),
        }
    }

    fn describe(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let object = Object::new(ctx.clone())?;
        object.set("name", self.algorithm.name())?;
        let hashed = |hash: Hash| -> Result<()> {
            let inner = Object::new(ctx.clone())?;
            inner.set("name", hash.name())?;
            object.set("hash", inner)
        };
        match self.algorithm {
            Algorithm::Hmac { hash, bits } => {
                object.set("length", bits)?;
                hashed(hash)?;
            }
            Algorithm::RsaPkcs1 { hash } | Algorithm::RsaPss { hash } => {
                if let Material::Rsa(key) = &self.material {
                    object.set("modulusLength", key.bits())?;
                    object.set(
                        "publicExponent",
                        TypedArray::new(ctx.clone(), key.exponent())?,
                    )?;
                }
                hashed(hash)?;
            }
            Algorithm::Ecdsa { curve } => object.set("namedCurve", curve.name())?,
            Algorithm::AesGcm { bits } => object.set("length", bits)?,
            Algorithm::Ed25519 | Algorithm::Pbkdf2 | Algorithm::Hkdf => {}
        }
        Ok(object.into_value())
    }
}

fn once<'js>(
    shown: &RefCell<Option<Value<'js>>>,
    make: impl FnOnce() -> Result<Value<'js>>,
) -> Result<Value<'js>> {
    if let Some(value) = &*shown.borrow() {
        return Ok(value.clone());
    }
    let value = make()?;
    shown.replace(Some(value.clone()));
    Ok(value)
}

#[rquickjs::methods(rename_all = "camelCase")]
impl<'js> CryptoKey<'js> {
    #[qjs(constructor)]
    pub fn new(ctx: Ctx<'js>) -> Result<Self> {
        Err(Exception::throw_type(&ctx, "Illegal constructor"))
    }

    #[qjs(get, rename = "type", enumerable, configurable)]
    pub fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Secret => "secret",
            Kind::Public => "public",
            Kind::Private => "private",
        }
    }

    #[qjs(get, enumerable, configurable)]
    pub fn extractable(&self) -> bool {
        self.extractable
    }

    #[qjs(get, enumerable, configurable)]
    pub fn algorithm(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        once(&self.shown_algorithm, || self.describe(&ctx))
    }

    #[qjs(get, enumerable, configurable)]
    pub fn usages(&self, ctx: Ctx<'js>) -> Result<Value<'js>> {
        once(&self.shown_usages, || {
            let list = Array::new(ctx)?;
            for (at, name) in self.usages.names().enumerate() {
                list.set(at, name)?;
            }
            Ok(list.into_value())
        })
    }

    #[qjs(prop, rename = PredefinedAtom::SymbolToStringTag, configurable)]
    pub fn tag() -> &'static str {
        "CryptoKey"
    }
}
