//! Ed25519.
use super::der::{self, element};
use super::import::{Import, Source};
use super::problem::{Outcome, Problem};
use super::random;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use pkcs8::ObjectIdentifier;

const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");

pub struct Key {
    bytes: [u8; 32],
    /// Missing when the bytes are no point: such a key verifies nothing, and the standard lets it be imported.
    public: Option<VerifyingKey>,
    private: Option<SigningKey>,
}

fn wrong() -> Problem {
    Problem::data("The bytes are no Ed25519 key")
}

impl Key {
    fn public(bytes: &[u8]) -> Outcome<Key> {
        let bytes: [u8; 32] = bytes.try_into().map_err(|_| wrong())?;
        let public = VerifyingKey::from_bytes(&bytes).ok();
        Ok(Key {
            bytes,
            public,
            private: None,
        })
    }

    fn private(seed: &[u8]) -> Outcome<Key> {
        let seed: [u8; 32] = seed.try_into().map_err(|_| wrong())?;
        let private = SigningKey::from_bytes(&seed);
        let public = Some(private.verifying_key());
        let bytes = private.verifying_key().to_bytes();
        let private = Some(private);
        Ok(Key {
            bytes,
            public,
            private,
        })
    }

    pub fn generate() -> Outcome<[Key; 2]> {
        let private = Key::private(&random::bytes(32)?)?;
        Ok([Key::public(&private.bytes)?, private])
    }

    pub fn import(request: &Import) -> Outcome<Key> {
        match &request.source {
            Source::Raw(bytes) => Key::public(bytes),
            Source::Spki(bytes) => match der::spki(bytes)? {
                part if part.algorithm == ED25519 => Key::public(part.key),
                _ => Err(wrong()),
            },
            Source::Pkcs8(bytes) => match der::pkcs8(bytes)? {
                part if part.algorithm == ED25519 => {
                    // An octet string in the octet string: two bytes, then the seed.
                    Key::private(
                        part.key
                            .strip_prefix(&[der::OCTETS, 32])
                            .ok_or_else(wrong)?,
                    )
                }
                _ => Err(wrong()),
            },
            Source::Jwk(jwk) => {
                jwk.expect("OKP", "", "sig", request)?;
                let named = matches!(jwk.alg.as_deref(), None | Some("Ed25519" | "EdDSA"));
                if jwk.crv.as_deref() != Some("Ed25519") || !named {
                    return Err(wrong());
                }
                let public = Key::public(&jwk.bytes(&jwk.x, "x")?)?;
                if jwk.d.is_none() {
                    return Ok(public);
                }
                let key = Key::private(&jwk.bytes(&jwk.d, "d")?)?;
                if key.bytes == public.bytes {
                    Ok(key)
                } else {
                    Err(wrong())
                }
            }
        }
    }

    /// Keys and signatures of small order are refused.
    pub fn verify(&self, data: &[u8], signature: &[u8]) -> bool {
        let Some(key) = &self.public else {
            return false;
        };
        Signature::from_slice(signature).is_ok_and(|one| key.verify_strict(data, &one).is_ok())
    }

    pub fn sign(&self, data: &[u8]) -> Outcome<Vec<u8>> {
        let key = self.private.as_ref().ok_or_else(wrong)?;
        Ok(key.sign(data).to_bytes().to_vec())
    }

    pub fn raw(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// The numbers of the key by their names in a JSON Web Key.
    pub fn numbers(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut list = vec![("x", self.raw())];
        list.extend(
            self.private
                .as_ref()
                .map(|key| ("d", key.to_bytes().to_vec())),
        );
        list
    }

    pub fn spki(&self) -> Vec<u8> {
        element(
            der::SEQUENCE,
            &[&algorithm(), &der::bit_string(&self.bytes)],
        )
    }

    pub fn pkcs8(&self) -> Vec<u8> {
        let seed = self
            .private
            .as_ref()
            .map(SigningKey::to_bytes)
            .unwrap_or_default();
        let key = element(der::OCTETS, &[&element(der::OCTETS, &[&seed])]);
        element(der::SEQUENCE, &[der::VERSION_0, &algorithm(), &key])
    }
}

fn algorithm() -> Vec<u8> {
    element(der::SEQUENCE, &[&element(der::OID, &[ED25519.as_bytes()])])
}
