//! What JavaScript may take before it gets an error: stack, memory and time without waiting.
use crate::clock;
use rquickjs::Runtime;
use std::cell::Cell;

/// Bytes of the linear stack. A guest cannot measure the host's stack: each frame takes its share of this one, so that this
/// one ends first (`patches/`). `test/hostile` fails when the share is too small.
pub const STACK: usize = 384 << 10;

/// Bytes of the engine's heap. A host gives an instance 128 MiB; the rest is for the native part, whose allocations
/// cannot fail with an exception.
const HEAP: usize = 96 << 20;

/// Nanoseconds without waiting for the host. Our host ends a thread after 5 s, with all of its requests; others never do.
const COMPUTING: u64 = 4_000_000_000;
/// While a component is built, on a machine that may be slow.
const BUILDING: u64 = 60_000_000_000;
/// The engine asks every 10,000 steps: the clock is read every so many times.
const STRIDE: u32 = 16;

#[derive(Default)]
struct State {
    asked: Cell<u32>,
    /// 0 until the first look at the clock of this turn.
    since: Cell<u64>,
}
struct Global(State);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static STATE: Global = Global(State {
    asked: Cell::new(0),
    since: Cell::new(0),
});

pub fn set(runtime: &Runtime) {
    runtime.set_max_stack_size(STACK);
    runtime.set_memory_limit(HEAP);
    runtime.set_interrupt_handler(Some(Box::new(is_over)));
}

/// The host was waited for: the time starts again.
pub fn begin_turn() {
    STATE.0.asked.set(0);
    STATE.0.since.set(0);
}

fn is_over() -> bool {
    let State { asked, since } = &STATE.0;
    asked.set(asked.get() + 1);
    if asked.get() < STRIDE {
        return false;
    }
    asked.set(0);
    let now = clock::elapsed();
    if since.get() == 0 {
        since.set(now);
        return false;
    }
    let limit = if !crate::building() {
        COMPUTING
    } else {
        BUILDING
    };
    let is_over = now - since.get() > limit;
    if is_over {
        eprintln!(
            "JavaScript ran for more than {} s without waiting for anything, and was ended",
            limit / 1_000_000_000
        );
        begin_turn();
    }
    is_over
}
