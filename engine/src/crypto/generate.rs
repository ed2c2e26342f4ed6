//! Making keys, whatever their algorithm.
use super::import::{Import, Source};
use super::key::{Algorithm, CryptoKey, Kind, Material, Usages};
use super::problem::{Outcome, Problem};
use super::wanted::{Wanted, check_some, check_usages};
use super::{ec, ed25519, random};

/// The most bytes that a new HMAC key may have.
const MOST: usize = 1 << 16;

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
