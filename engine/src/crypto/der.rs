//! The containers of keys: `spki` and `pkcs8`.
use super::problem::{Outcome, Problem};
use pkcs8::{ObjectIdentifier, PrivateKeyInfo, der::Decode, spki::SubjectPublicKeyInfoRef};

pub struct Part<'a> {
    pub algorithm: ObjectIdentifier,
    /// The parameter of the algorithm when it is an identifier, such as that of a curve.
    pub curve: Option<ObjectIdentifier>,
    pub key: &'a [u8],
}

pub fn spki(bytes: &[u8]) -> Outcome<Part<'_>> {
    let info = SubjectPublicKeyInfoRef::from_der(bytes)
        .map_err(|_| Problem::data("The bytes are no SubjectPublicKeyInfo"))?;
    Ok(Part {
        algorithm: info.algorithm.oid,
        curve: info.algorithm.parameters_oid().ok(),
        key: info.subject_public_key.as_bytes().unwrap_or_default(),
    })
}

pub fn pkcs8(bytes: &[u8]) -> Outcome<Part<'_>> {
    let info = PrivateKeyInfo::from_der(bytes)
        .map_err(|_| Problem::data("The bytes are no PrivateKeyInfo (PKCS #8)"))?;
    Ok(Part {
        algorithm: info.algorithm.oid,
        curve: info.algorithm.parameters_oid().ok(),
        key: info.private_key,
    })
}

pub const SEQUENCE: u8 = 0x30;
pub const BITS: u8 = 0x03;
pub const OCTETS: u8 = 0x04;
pub const OID: u8 = 0x06;
pub const NULL: &[u8] = &[5, 0];
pub const VERSION_0: &[u8] = &[2, 1, 0];

/// One element: its tag, its length, and its parts one after the other.
pub fn element(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let mut out = vec![tag];
    if content.len() < 128 {
        out.push(content.len() as u8);
    } else {
        let size = content.len().to_be_bytes();
        let size = &size[size.iter().take_while(|b| **b == 0).count()..];
        out.push(0x80 | size.len() as u8);
        out.extend_from_slice(size);
    }
    out.extend(content);
    out
}

/// A number that is not negative.
pub fn integer(bytes: &[u8]) -> Vec<u8> {
    let skip = bytes.iter().take_while(|b| **b == 0).count();
    let bytes = &bytes[skip.min(bytes.len().saturating_sub(1))..];
    let sign: &[u8] = if bytes.first().is_none_or(|b| *b > 127) {
        &[0]
    } else {
        &[]
    };
    element(2, &[sign, bytes])
}

pub fn bit_string(bytes: &[u8]) -> Vec<u8> {
    element(BITS, &[&[0], bytes])
}
