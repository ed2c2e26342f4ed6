//! RSASSA-PKCS1-v1_5 and RSA-PSS. There is no decryption, and signing is blinded: the crate's arithmetic does not take
//! the same time for every key (RUSTSEC-2023-0071), and blinding is what keeps the input out of that time.
use super::der::{self, element, integer};
use super::hash::Hash;
use super::import::{Import, Source};
use super::problem::{Outcome, Problem};
use super::random::{self, Host};
use ::rsa::traits::{PrivateKeyParts, PublicKeyParts};
use ::rsa::{BigUint, Pkcs1v15Sign, Pss, RsaPrivateKey, RsaPublicKey};
use pkcs8::{ObjectIdentifier, der::Decode};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
/// Verifying takes time with the square of this.
const MOST_BITS: usize = 8192;

pub struct Key {
    public: RsaPublicKey,
    private: Option<RsaPrivateKey>,
}

fn wrong() -> Problem {
    Problem::data("The numbers are no RSA key (up to 8192 bits, or 4096 for a private key)")
}

fn public(n: &[u8], e: &[u8]) -> Outcome<RsaPublicKey> {
    // The arithmetic needs an odd modulus.
    if n.len() > MOST_BITS / 8 + 1 || n.last().is_none_or(|b| b & 1 == 0) {
        return Err(wrong());
    }
    let (n, e) = (BigUint::from_bytes_be(n), BigUint::from_bytes_be(e));
    RsaPublicKey::new_with_max_size(n, e, MOST_BITS).map_err(|_| wrong())
}

fn private(n: &[u8], e: &[u8], d: &[u8], primes: [&[u8]; 2]) -> Outcome<Key> {
    let public = public(n, e)?;
    let odd = |bytes: &&[u8]| bytes.len() <= n.len() && bytes.last().is_some_and(|b| b & 1 == 1);
    if !primes.iter().all(odd) || d.len() > n.len() {
        return Err(wrong());
    }
    let primes: Vec<BigUint> = primes.into_iter().map(BigUint::from_bytes_be).collect();
    let one = BigUint::from(1u8);
    if primes[0] == primes[1] || primes.iter().any(|prime| *prime <= one) {
        return Err(wrong());
    }
    let (n, e) = (public.n().clone(), public.e().clone());
    let key = RsaPrivateKey::from_components(n, e, BigUint::from_bytes_be(d), primes);
    let private = Some(key.map_err(|_| wrong())?);
    Ok(Key { public, private })
}

impl Key {
    pub fn import(request: &Import, alg: &str) -> Outcome<Key> {
        match &request.source {
            Source::Spki(bytes) => {
                let part = der::spki(bytes)?;
                let key = pkcs1::RsaPublicKey::from_der(part.key).map_err(|_| wrong())?;
                if part.algorithm != RSA {
                    return Err(wrong());
                }
                let public = public(key.modulus.as_bytes(), key.public_exponent.as_bytes())?;
                Ok(Key {
                    public,
                    private: None,
                })
            }
            Source::Pkcs8(bytes) => {
                let part = der::pkcs8(bytes)?;
                let key = pkcs1::RsaPrivateKey::from_der(part.key).map_err(|_| wrong())?;
                if part.algorithm != RSA {
                    return Err(wrong());
                }
                private(
                    key.modulus.as_bytes(),
                    key.public_exponent.as_bytes(),
                    key.private_exponent.as_bytes(),
                    [key.prime1.as_bytes(), key.prime2.as_bytes()],
                )
            }
            Source::Jwk(jwk) => {
                jwk.expect("RSA", alg, "sig", request)?;
                let (n, e) = (jwk.bytes(&jwk.n, "n")?, jwk.bytes(&jwk.e, "e")?);
                if jwk.d.is_none() {
                    let public = public(&n, &e)?;
                    return Ok(Key {
                        public,
                        private: None,
                    });
                }
                if jwk.multi_prime {
                    return Err(Problem::not_supported("RSA keys of more than two primes"));
                }
                let (p, q) = (jwk.bytes(&jwk.p, "p")?, jwk.bytes(&jwk.q, "q")?);
                private(&n, &e, &jwk.bytes(&jwk.d, "d")?, [&p, &q])
            }
            Source::Raw(_) => Err(request.wrong_format()),
        }
    }

    pub fn bits(&self) -> usize {
        self.public.n().bits()
    }

    pub fn exponent(&self) -> Vec<u8> {
        self.public.e().to_bytes_be()
    }

    pub fn verify(&self, hash: Hash, data: &[u8], signature: &[u8]) -> bool {
        let digest = hash.digest(data);
        self.public.verify(pkcs1(hash), &digest, signature).is_ok()
    }

    pub fn sign(&self, hash: Hash, data: &[u8]) -> Outcome<Vec<u8>> {
        self.sign_with(pkcs1(hash), &hash.digest(data))
    }

    pub fn verify_pss(&self, hash: Hash, salt: usize, data: &[u8], signature: &[u8]) -> bool {
        let digest = hash.digest(data);
        self.fits(hash, salt)
            && self
                .public
                .verify(pss(hash, salt), &digest, signature)
                .is_ok()
    }

    pub fn sign_pss(&self, hash: Hash, salt: usize, data: &[u8]) -> Outcome<Vec<u8>> {
        if !self.fits(hash, salt) {
            return Err(Problem::operation(
                "The salt and the digest do not fit into the key",
            ));
        }
        self.sign_with(pss(hash, salt), &hash.digest(data))
    }

    fn fits(&self, hash: Hash, salt: usize) -> bool {
        let room = (self.bits().saturating_sub(1)).div_ceil(8);
        room.checked_sub(hash.size() + 2)
            .is_some_and(|room| salt <= room)
    }

    fn sign_with(
        &self,
        how: impl ::rsa::traits::SignatureScheme,
        digest: &[u8],
    ) -> Outcome<Vec<u8>> {
        random::check()?;
        let failed = || Problem::operation("The key is too short for this digest");
        let key = self.private.as_ref().ok_or_else(failed)?;
        key.sign_with_rng(&mut Host, how, digest)
            .map_err(|_| failed())
    }

    /// The numbers of the key by their names in a JSON Web Key.
    pub fn numbers(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut list = vec![
            ("n", self.public.n().to_bytes_be()),
            ("e", self.public.e().to_bytes_be()),
        ];
        if let Some(key) = &self.private
            && let ([p, q], Some(dp), Some(dq), Some(qi)) =
                (key.primes(), key.dp(), key.dq(), key.crt_coefficient())
        {
            list.extend([
                ("d", key.d().to_bytes_be()),
                ("p", p.to_bytes_be()),
                ("q", q.to_bytes_be()),
                ("dp", dp.to_bytes_be()),
                ("dq", dq.to_bytes_be()),
                ("qi", qi.to_bytes_be()),
            ]);
        }
        list
    }

    pub fn spki(&self) -> Vec<u8> {
        let numbers: Vec<u8> = self.numbers()[..2]
            .iter()
            .flat_map(|(_, b)| integer(b))
            .collect();
        let key = element(der::SEQUENCE, &[&numbers]);
        element(der::SEQUENCE, &[&algorithm(), &der::bit_string(&key)])
    }

    pub fn pkcs8(&self) -> Vec<u8> {
        let numbers: Vec<u8> = self
            .numbers()
            .iter()
            .flat_map(|(_, b)| integer(b))
            .collect();
        let key = element(der::SEQUENCE, &[der::VERSION_0, &numbers]);
        let key = element(der::OCTETS, &[&key]);
        element(der::SEQUENCE, &[der::VERSION_0, &algorithm(), &key])
    }
}

fn algorithm() -> Vec<u8> {
    element(
        der::SEQUENCE,
        &[&element(der::OID, &[RSA.as_bytes()]), der::NULL],
    )
}

fn pkcs1(hash: Hash) -> Pkcs1v15Sign {
    let oid = match hash {
        Hash::Sha1 => ObjectIdentifier::new_unwrap("1.3.14.3.2.26"),
        Hash::Sha256 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1"),
        Hash::Sha384 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.2"),
        Hash::Sha512 => ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.3"),
    };
    let name = element(
        der::SEQUENCE,
        &[&element(der::OID, &[oid.as_bytes()]), der::NULL],
    );
    let size = hash.size() as u8;
    // The start of a DigestInfo, whose last bytes are the digest itself.
    let start = [
        &[der::SEQUENCE, name.len() as u8 + 2 + size],
        &name[..],
        &[der::OCTETS, size],
    ];
    Pkcs1v15Sign {
        hash_len: Some(hash.size()),
        prefix: start.concat().into(),
    }
}

fn pss(hash: Hash, salt: usize) -> Pss {
    match hash {
        Hash::Sha1 => Pss::new_blinded_with_salt::<Sha1>(salt),
        Hash::Sha256 => Pss::new_blinded_with_salt::<Sha256>(salt),
        Hash::Sha384 => Pss::new_blinded_with_salt::<Sha384>(salt),
        Hash::Sha512 => Pss::new_blinded_with_salt::<Sha512>(salt),
    }
}
