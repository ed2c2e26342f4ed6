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

/// Milliseconds without waiting for the host, unless the build names others. Our host ends a thread after 5 s, with all of
/// its requests; others never do.
const COMPUTING_MS: u64 = 4000;
/// The most that a build may name.
const MOST_MS: u64 = 600_000;
/// How a build names them: a comment that is the last line of the bundle, where it moves no position.
const MARK: &[u8] = b"\n//# ftl.compute_limit_ms=";
/// While a component is built, on a machine that may be slow.
const BUILDING_MS: u64 = 60_000;
/// The engine asks every 10,000 steps: the clock is read every so many times.
const STRIDE: u32 = 16;

struct State {
    asked: Cell<u32>,
    /// 0 until the first look at the clock of this turn.
    since: Cell<u64>,
    /// Of requests; set while the component is built.
    limit_ms: Cell<u64>,
    has_ended: Cell<bool>,
}
struct Global(State);
// SAFETY: a component has one thread.
unsafe impl Sync for Global {}
static STATE: Global = Global(State {
    asked: Cell::new(0),
    since: Cell::new(0),
    limit_ms: Cell::new(COMPUTING_MS),
    has_ended: Cell::new(false),
});

pub fn set(runtime: &Runtime) {
    runtime.set_max_stack_size(STACK);
    runtime.set_memory_limit(HEAP);
    runtime.set_interrupt_handler(Some(Box::new(is_over)));
}

/// Reads the limit that the bundle names.
pub fn read(bundle: &[u8]) {
    let Some(at) = bundle.windows(MARK.len()).rposition(|part| part == MARK) else {
        return;
    };
    let digits = bundle[at + MARK.len()..].trim_ascii();
    if let Some(limit) = std::str::from_utf8(digits).ok().and_then(|text| text.parse::<u64>().ok()) {
        STATE.0.limit_ms.set(limit.clamp(1, MOST_MS));
    }
}

pub fn begin_request() {
    STATE.0.has_ended.set(false);
    begin_turn();
}

/// The host was waited for: the time starts again.
pub fn begin_turn() {
    STATE.0.asked.set(0);
    STATE.0.since.set(0);
}

/// The request has computed for too long: nothing of it goes on.
pub fn has_ended() -> bool {
    STATE.0.has_ended.get()
}

fn is_over() -> bool {
    let State { asked, since, limit_ms, has_ended } = &STATE.0;
    if has_ended.get() {
        return true;
    }
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
    let limit = if crate::building() { BUILDING_MS } else { limit_ms.get() };
    let is_over = now - since.get() > limit * 1_000_000;
    if is_over {
        has_ended.set(true);
        let remedy = if crate::building() {
            "Do the work in the handler, or before the build"
        } else {
            "Wait now and then, for example for a timer, or set compute_limit_ms in spin.toml, under [component.ID.tool.ftl]"
        };
        eprintln!("JavaScript ran for more than {limit} ms without waiting for anything, and was ended. {remedy}");
    }
    is_over
}
