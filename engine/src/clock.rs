//! Time while a component is built is fixed, so that the same bundle gives the same bytes on every day.
//!
//! QuickJS and the standard library ask the C library, whose functions these are instead.

use crate::wit::wasi::clocks::{monotonic_clock, wall_clock};
use std::ffi::{c_int, c_void};

/// 2000-01-01T00:00:00Z: obviously no build's date, and truthy.
const BUILD_TIME: u64 = 946_684_800_000_000_000;
const REALTIME: i32 = 0;
const MONOTONIC: i32 = 1;

#[link(wasm_import_module = "wasi_snapshot_preview1")]
unsafe extern "C" {
    fn clock_time_get(id: i32, precision: i64, out: *mut u64) -> i32;
}

/// While a component is built there is nothing else. In a request the first call of the adapter that serves it would
/// allocate 128 KiB.
fn build_host_time(id: i32) -> u64 {
    let mut nanos = 0;
    // SAFETY: the host writes eight bytes.
    unsafe { clock_time_get(id, 1, &mut nanos) };
    nanos
}

fn time(id: i32) -> u64 {
    match (!crate::building(), id) {
        (true, REALTIME) => {
            let now = wall_clock::now();
            now.seconds * 1_000_000_000 + u64::from(now.nanoseconds)
        }
        (true, _) => monotonic_clock::now(),
        (false, REALTIME) => BUILD_TIME,
        (false, _) => 0,
    }
}

/// Nanoseconds of the host's clock, also while a component is built: for limits only.
pub fn elapsed() -> u64 {
    if crate::building() { build_host_time(MONOTONIC) } else { monotonic_clock::now() }
}

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanos: i32,
}

#[repr(C)]
struct TimeVal {
    seconds: i64,
    micros: i64,
}

/// # Safety
/// `id` is one of the C library's constants, which are pointers to the number; `out` is a `struct timespec`.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(id: *const i32, out: *mut TimeSpec) -> c_int {
    // SAFETY: given by the caller.
    unsafe {
        let nanos = time(*id);
        *out = TimeSpec {
            seconds: (nanos / 1_000_000_000) as i64,
            nanos: (nanos % 1_000_000_000) as i32,
        };
    }
    0
}

/// # Safety
/// `out` is a `struct timeval`.
#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(out: *mut TimeVal, _zone: *mut c_void) -> c_int {
    let micros = time(REALTIME) / 1000;
    // SAFETY: given by the caller.
    unsafe {
        *out = TimeVal {
            seconds: (micros / 1_000_000) as i64,
            micros: (micros % 1_000_000) as i64,
        }
    };
    0
}
