//! Random bytes of the host. While a component is built there are none: they would be in its snapshot, the same for
//! every instance and for everybody who has the file.
use super::problem::{Outcome, Problem};
use crate::wit::wasi::random::random;
use rand_core::{CryptoRng, RngCore};

pub fn check() -> Outcome<()> {
    if crate::building() {
        return Err(Problem::operation(
            "There are no random values while the component is built: ask for them in a request",
        ));
    }
    Ok(())
}

pub fn bytes(count: usize) -> Outcome<Vec<u8>> {
    check()?;
    Ok(random::get_random_bytes(count as u64))
}

/// For the crates that draw their own. `check` comes first.
pub struct Host;

impl RngCore for Host {
    fn next_u32(&mut self) -> u32 {
        random::get_random_u64() as u32
    }
    fn next_u64(&mut self) -> u64 {
        random::get_random_u64()
    }
    fn fill_bytes(&mut self, to: &mut [u8]) {
        to.copy_from_slice(&random::get_random_bytes(to.len() as u64));
    }
    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill_bytes(to);
        Ok(())
    }
}
impl CryptoRng for Host {}
