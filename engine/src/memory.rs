//! Memory of the native part, which the limit of the JavaScript heap does not count.
//!
//! An allocation that fails ends the instance, and the caller with it. So what takes much memory asks first, and JavaScript
//! gets an error that it can catch.
use rquickjs::{Ctx, Error, Exception, Result};
use std::cell::Cell;

/// Bytes that must be free besides: for what is made on the way, and for what does not ask.
const SPARE: usize = 2 << 20;
/// Bytes that may be taken between two looks.
const UNSEEN: usize = 256 << 10;

struct Taken(Cell<usize>);
// SAFETY: a component has one thread.
unsafe impl Sync for Taken {}
static TAKEN: Taken = Taken(Cell::new(0));

/// An InternalError "out of memory", as QuickJS throws for its own heap.
pub fn exhausted(ctx: &Ctx<'_>) -> Error {
    Exception::throw_internal(ctx, "out of memory")
}

/// Throws an InternalError unless so many bytes, and some more, can be had.
pub fn check(ctx: &Ctx<'_>, bytes: usize) -> Result<()> {
    let taken = TAKEN.0.get().saturating_add(bytes);
    if taken < UNSEEN {
        TAKEN.0.set(taken);
        return Ok(());
    }
    TAKEN.0.set(0);
    let mut probe = Vec::<u8>::new();
    match probe.try_reserve_exact(bytes.saturating_add(SPARE)) {
        // Or the compiler leaves it out.
        Ok(()) => Ok(drop(std::hint::black_box(probe))),
        Err(_) => Err(exhausted(ctx)),
    }
}

/// Adds an item to a list, which may have to move.
pub fn push<T>(ctx: &Ctx<'_>, list: &mut Vec<T>, item: T) -> Result<()> {
    if list.len() == list.capacity() {
        check(ctx, list.len() * 2 * size_of::<T>())?;
    }
    list.push(item);
    Ok(())
}

/// Adds bytes to others.
pub fn extend(ctx: &Ctx<'_>, bytes: &mut Vec<u8>, more: &[u8]) -> Result<()> {
    check(ctx, more.len())?;
    // Twice as much as there is may be too much, and what is needed not.
    if bytes.try_reserve(more.len()).is_err() && bytes.try_reserve_exact(more.len()).is_err() {
        return Err(exhausted(ctx));
    }
    bytes.extend_from_slice(more);
    Ok(())
}
