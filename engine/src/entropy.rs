//! Random bytes of the standard library and of crates (`getrandom`) while a component is built: the same for each build,
//! as they only seed hash tables then. In a request they are the host's.

use crate::wit::wasi::random::random;

/// # Safety
/// `out` has room for `length` bytes.
unsafe fn fill(out: *mut u8, length: usize) -> i32 {
    if !crate::building() {
        let bytes = random::get_random_bytes(length as u64);
        // SAFETY: given by the caller.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out, length.min(bytes.len())) };
    } else {
        // SAFETY: given by the caller.
        unsafe { std::ptr::write_bytes(out, 0x5a, length) };
    }
    0
}

/// The import of WASI, by the names that the standard library and the C library have for it.
///
/// # Safety
/// As `fill`.
#[unsafe(no_mangle)]
unsafe extern "C" fn random_get(out: i32, length: i32) -> i32 {
    // SAFETY: given by the caller.
    unsafe { fill(out as usize as *mut u8, length as usize) }
}

/// # Safety
/// As `fill`.
#[unsafe(no_mangle)]
unsafe extern "C" fn __imported_wasi_snapshot_preview1_random_get(out: i32, length: i32) -> i32 {
    // SAFETY: given by the caller.
    unsafe { fill(out as usize as *mut u8, length as usize) }
}
