//! The digests.
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

pub const NAMES: &[&str] = &["SHA-1", "SHA-256", "SHA-384", "SHA-512"];

impl Hash {
    pub fn of(name: &str) -> Option<Hash> {
        Some(match name {
            "SHA-1" => Hash::Sha1,
            "SHA-256" => Hash::Sha256,
            "SHA-384" => Hash::Sha384,
            "SHA-512" => Hash::Sha512,
            _ => return None,
        })
    }
    pub fn name(self) -> &'static str {
        NAMES[self as usize]
    }
    /// What a JSON Web Key writes behind `HS`, `RS` or `PS`.
    pub fn number(self) -> &'static str {
        ["1", "256", "384", "512"][self as usize]
    }
    pub fn size(self) -> usize {
        [20, 32, 48, 64][self as usize]
    }
    pub fn block(self) -> usize {
        [64, 64, 128, 128][self as usize]
    }
    pub fn digest(self, data: &[u8]) -> Vec<u8> {
        match self {
            Hash::Sha1 => Sha1::digest(data).to_vec(),
            Hash::Sha256 => Sha256::digest(data).to_vec(),
            Hash::Sha384 => Sha384::digest(data).to_vec(),
            Hash::Sha512 => Sha512::digest(data).to_vec(),
        }
    }
}
