//! Zeroes what is free, so that the snapshot does not carry what the parser left there.
use std::alloc::{Layout, alloc, dealloc};

/// Sizes of blocks to take, from large to small: what is smaller than the last is not worth it.
const LARGEST: usize = 64 << 10;
const SMALLEST: usize = 64;
/// The lowest addresses stay as they are.
const STACK_BOTTOM: usize = 1024;
/// Bytes below the current frame that are left alone.
const MARGIN: usize = 4096;

/// Takes all free blocks of the heap, zeroes them and gives them back. The memory grows by less than 1 MiB, which the
/// headroom of the snapshot then uses.
pub fn free_heap() {
    let mut taken: *mut u8 = std::ptr::null_mut();
    let mut size = LARGEST;
    while size >= SMALLEST {
        let Ok(layout) = Layout::from_size_align(size, 8) else {
            return;
        };
        loop {
            let before = pages();
            // SAFETY: the size is not 0; a block holds at least a pointer and a size.
            unsafe {
                let block = alloc(layout);
                if block.is_null() {
                    break;
                }
                std::ptr::write_bytes(block, 0, size);
                block.cast::<*mut u8>().write(taken);
                block.cast::<usize>().add(1).write(size);
                taken = block;
            }
            if pages() != before {
                break;
            }
        }
        size /= 2;
    }
    while !taken.is_null() {
        // SAFETY: written above, and given back once.
        unsafe {
            let block = taken;
            taken = block.cast::<*mut u8>().read();
            let size = block.cast::<usize>().add(1).read();
            std::ptr::write_bytes(block, 0, 16);
            if let Ok(layout) = Layout::from_size_align(size, 8) {
                dealloc(block, layout);
            }
        }
    }
}

fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

/// Zeroes the linear stack below the frame of the caller, where the parser was at its deepest.
#[inline(never)]
pub fn unused_stack() {
    static DATA: u8 = 1;
    let marker = 0u8;
    let here = &raw const marker as usize;
    // Below the stack there must be nothing else; the linker puts the data above it.
    if here > &raw const DATA as usize {
        return;
    }
    let mut at = STACK_BOTTOM;
    while at + 8 <= here.saturating_sub(MARGIN) {
        // SAFETY: nothing that is in use lies below this frame; the margin covers the rest of this one.
        unsafe { (at as *mut u64).write_volatile(0) };
        at += 8;
    }
}
