//! ECDSA on P-256 and P-384. Signatures are the two numbers one after the other; signing needs no random values
//! (RFC 6979).
use super::der::{self, element};
use super::hash::Hash;
use super::import::{Import, Source};
use super::problem::{Outcome, Problem};
use super::random::{self, Host};
use pkcs8::{ObjectIdentifier, der::Decode};

const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    P256,
    #[cfg(feature = "p384")]
    P384,
}

/// What one curve can do, on bytes.
struct Arithmetic {
    name: &'static str,
    oid: ObjectIdentifier,
    size: usize,
    /// The uncompressed form of a point that is on the curve.
    point: fn(&[u8]) -> Option<Vec<u8>>,
    public: fn(&[u8]) -> Option<Vec<u8>>,
    random: fn() -> Vec<u8>,
    verify: fn(&[u8], &[u8], &[u8]) -> bool,
    sign: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
}

macro_rules! arithmetic {
    ($module:ident, $name:literal, $oid:literal, $size:literal) => {{
        use ::$module::ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier};
        use ::$module::ecdsa::{Signature, SigningKey, VerifyingKey};
        Arithmetic {
            name: $name,
            oid: ObjectIdentifier::new_unwrap($oid),
            size: $size,
            point: |bytes| {
                let key = VerifyingKey::from_sec1_bytes(bytes).ok()?;
                Some(key.to_encoded_point(false).as_bytes().to_vec())
            },
            public: |scalar| {
                let key = SigningKey::from_slice(scalar).ok()?;
                let point = key.verifying_key().to_encoded_point(false);
                Some(point.as_bytes().to_vec())
            },
            random: || SigningKey::random(&mut Host).to_bytes().to_vec(),
            verify: |point, digest, signature| {
                let Ok(key) = VerifyingKey::from_sec1_bytes(point) else {
                    return false;
                };
                Signature::from_slice(signature)
                    .is_ok_and(|signature| key.verify_prehash(digest, &signature).is_ok())
            },
            sign: |scalar, digest| {
                let key = SigningKey::from_slice(scalar).ok()?;
                let signature: Signature = key.sign_prehash(digest).ok()?;
                Some(signature.to_bytes().to_vec())
            },
        }
    }};
}

static P256: Arithmetic = arithmetic!(p256, "P-256", "1.2.840.10045.3.1.7", 32);
#[cfg(feature = "p384")]
static P384: Arithmetic = arithmetic!(p384, "P-384", "1.3.132.0.34", 48);

impl Curve {
    pub fn of(name: &str) -> Outcome<Curve> {
        match name {
            "P-256" => Ok(Curve::P256),
            #[cfg(feature = "p384")]
            "P-384" => Ok(Curve::P384),
            _ => Err(Problem::not_supported(
                "ECDSA has the curves P-256 and P-384",
            )),
        }
    }
    fn with(self) -> &'static Arithmetic {
        match self {
            Curve::P256 => &P256,
            #[cfg(feature = "p384")]
            Curve::P384 => &P384,
        }
    }
    pub fn name(self) -> &'static str {
        self.with().name
    }
}

pub struct Key {
    curve: Curve,
    scalar: Option<Vec<u8>>,
    point: Vec<u8>,
}

fn wrong() -> Problem {
    Problem::data("The bytes are no key of this curve")
}

impl Key {
    fn public(curve: Curve, point: &[u8]) -> Outcome<Key> {
        let point = (curve.with().point)(point).ok_or_else(wrong)?;
        Ok(Key {
            curve,
            scalar: None,
            point,
        })
    }

    fn private(curve: Curve, scalar: Vec<u8>) -> Outcome<Key> {
        if scalar.len() != curve.with().size {
            return Err(wrong());
        }
        let point = (curve.with().public)(&scalar).ok_or_else(wrong)?;
        let scalar = Some(scalar);
        Ok(Key {
            curve,
            scalar,
            point,
        })
    }

    pub fn generate(curve: Curve) -> Outcome<[Key; 2]> {
        random::check()?;
        let private = Key::private(curve, (curve.with().random)())?;
        Ok([Key::public(curve, &private.point)?, private])
    }

    pub fn import(request: &Import, curve: Curve) -> Outcome<Key> {
        let ours = |part: &der::Part| part.algorithm == EC && part.curve == Some(curve.with().oid);
        match &request.source {
            Source::Raw(bytes) => Key::public(curve, bytes),
            Source::Spki(bytes) => match der::spki(bytes)? {
                part if ours(&part) => Key::public(curve, part.key),
                _ => Err(wrong()),
            },
            Source::Pkcs8(bytes) => match der::pkcs8(bytes)? {
                part if ours(&part) => {
                    let inner = sec1::EcPrivateKey::from_der(part.key).map_err(|_| wrong())?;
                    let key = Key::private(curve, inner.private_key.to_vec())?;
                    match inner.public_key {
                        Some(point) if Key::public(curve, point)?.point != key.point => {
                            Err(wrong())
                        }
                        _ => Ok(key),
                    }
                }
                _ => Err(wrong()),
            },
            Source::Jwk(jwk) => {
                jwk.expect("EC", "", "sig", request)?;
                let own = match curve.name() {
                    "P-256" => "ES256",
                    _ => "ES384",
                };
                if jwk.crv.as_deref() != Some(curve.name())
                    || jwk.alg.as_deref().is_some_and(|alg| alg != own)
                {
                    return Err(wrong());
                }
                let (x, y) = (jwk.bytes(&jwk.x, "x")?, jwk.bytes(&jwk.y, "y")?);
                let size = curve.with().size;
                if x.len() != size || y.len() != size {
                    return Err(wrong());
                }
                let public = Key::public(curve, &[&[4], &x[..], &y[..]].concat())?;
                if jwk.d.is_none() {
                    return Ok(public);
                }
                let key = Key::private(curve, jwk.bytes(&jwk.d, "d")?)?;
                if key.point == public.point {
                    Ok(key)
                } else {
                    Err(wrong())
                }
            }
        }
    }

    pub fn verify(&self, hash: Hash, data: &[u8], signature: &[u8]) -> bool {
        (self.curve.with().verify)(&self.point, &self.digest(hash, data), signature)
    }

    pub fn sign(&self, hash: Hash, data: &[u8]) -> Outcome<Vec<u8>> {
        let scalar = self.scalar.as_deref().unwrap_or_default();
        (self.curve.with().sign)(scalar, &self.digest(hash, data))
            .ok_or_else(|| Problem::operation("The data could not be signed"))
    }

    /// The crates want a digest of at least half the curve's size; zeros in front do not change the number it is.
    fn digest(&self, hash: Hash, data: &[u8]) -> Vec<u8> {
        let digest = hash.digest(data);
        let zeros = self.curve.with().size.saturating_sub(digest.len());
        [vec![0; zeros], digest].concat()
    }

    pub fn raw(&self) -> Vec<u8> {
        self.point.clone()
    }

    /// The numbers of the key by their names in a JSON Web Key.
    pub fn numbers(&self) -> Vec<(&'static str, Vec<u8>)> {
        let (x, y) = self.point[1..].split_at(self.curve.with().size);
        let mut list = vec![("x", x.to_vec()), ("y", y.to_vec())];
        list.extend(self.scalar.clone().map(|d| ("d", d)));
        list
    }

    fn algorithm(&self) -> Vec<u8> {
        let oid = |oid: ObjectIdentifier| element(der::OID, &[oid.as_bytes()]);
        element(der::SEQUENCE, &[&oid(EC), &oid(self.curve.with().oid)])
    }

    pub fn spki(&self) -> Vec<u8> {
        element(
            der::SEQUENCE,
            &[&self.algorithm(), &der::bit_string(&self.point)],
        )
    }

    pub fn pkcs8(&self) -> Vec<u8> {
        let scalar = element(der::OCTETS, &[self.scalar.as_deref().unwrap_or_default()]);
        let point = element(0xa1, &[&der::bit_string(&self.point)]);
        let key = element(der::SEQUENCE, &[&[2, 1, 1], &scalar, &point]);
        let key = element(der::OCTETS, &[&key]);
        element(der::SEQUENCE, &[der::VERSION_0, &self.algorithm(), &key])
    }
}
