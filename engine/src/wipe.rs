//! Zeroes what is free, so that the snapshot does not carry what the parser left there, and lays out what a request gets.
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::null_mut;

/// Sizes of blocks to take, from large to small: the smallest that holds what is written into it.
const LARGEST: usize = 512 << 10;
const SMALLEST: usize = 8;
/// From here on a block is given back to requests. Of smaller ones the allocator would take a better fit than the nursery.
const LARGE: usize = NURSERY;
/// Free memory the snapshot has, so that a small request never grows its memory, nor does `memory::check`.
const HEADROOM: usize = (2 << 20) + (256 << 10);
/// Bytes that a request gets first: twice what a call through the gateway takes.
const NURSERY: usize = 128 << 10;
/// More than the heap of nearly every snapshot, in address space: what is not used costs nothing.
const RESERVE: usize = 3 << 20;
/// Bytes of the heap of a snapshot: of the Web APIs, and for each byte of the bundle.
const OF_ENGINE: usize = 1 << 20;
const OF_BUNDLE: usize = 6;
/// The lowest addresses stay as they are.
const STACK_BOTTOM: usize = 1024;
/// Bytes below the current frame that are left alone.
const MARGIN: usize = 4096;

/// The lowest addresses of the heap: first what a request gets, then the snapshot, without what only the build needs.
///
/// Each page that an instance touches costs the host a page fault, a copy, and the work of giving it back. Spin keeps the
/// first 2 MiB of each memory: there it costs neither.
pub struct Places {
    nursery: *mut u8,
    reserve: *mut u8,
}

impl Places {
    /// Before anything else is allocated.
    pub fn reserve() -> Self {
        // Or the compiler leaves them out.
        std::hint::black_box(Places { nursery: take(NURSERY), reserve: take(RESERVE) })
    }

    /// After the bundle was read: what its compiler takes lies behind the place for the snapshot.
    pub fn for_snapshot(self, bundle: usize) -> Snapshot {
        let size = (OF_ENGINE + OF_BUNDLE * bundle).min(RESERVE);
        // SAFETY: taken with this size, and given back once.
        unsafe { give_back(self.reserve, RESERVE) };
        Snapshot { nursery: self.nursery, place: std::hint::black_box(take(size)), size }
    }
}

pub struct Snapshot {
    nursery: *mut u8,
    place: *mut u8,
    size: usize,
}

impl Snapshot {
    /// After the bundle was compiled: from here on allocations are in the place of the snapshot, and then in new memory.
    pub fn begin(&self) -> Free {
        let free = take_all();
        // SAFETY: taken with this size, and given back once.
        unsafe { give_back(self.place, self.size) };
        free
    }

    /// When the snapshot is complete: a request allocates in the nursery first, and not in the gaps of the snapshot, where
    /// it would write to many more pages.
    pub fn end(self, Free(of_compiler): Free) {
        let Free(gaps) = take_all();
        // SAFETY: lists of `take_all`, each used once; the nursery was taken with this size.
        unsafe {
            if !self.nursery.is_null() {
                std::ptr::write_bytes(self.nursery, 0, NURSERY);
                give_back(self.nursery, NURSERY);
            }
            // The allocator goes on with what is left of the block from which it took the last small one.
            std::hint::black_box(take(SMALLEST));
            let from = self.place.wrapping_add(self.size);
            give_back_all(of_compiler, from);
            give_back_all(gaps, from);
        }
        drop(std::hint::black_box(vec![0u8; HEADROOM]));
    }
}

/// Blocks that are free and taken: each has the address of the next and its own size.
pub struct Free(*mut u8);

/// Takes all free blocks of the heap and zeroes them. The memory grows by about 1 MiB.
fn take_all() -> Free {
    let mut taken: *mut u8 = null_mut();
    // Above it is only what was never used, which small blocks would fill with their sizes.
    let mut top: *mut u8 = null_mut();
    let mut size = LARGEST;
    while size >= SMALLEST {
        loop {
            let before = pages();
            let block = take(size);
            if block.is_null() {
                break;
            }
            // SAFETY: a block holds at least a pointer and a size.
            unsafe {
                std::ptr::write_bytes(block, 0, size);
                block.cast::<*mut u8>().write(taken);
                block.cast::<usize>().add(1).write(size);
            }
            taken = block;
            if top.is_null() && pages() == before {
                continue;
            }
            if block > top {
                top = block;
                break;
            }
        }
        size /= 2;
    }
    Free(taken)
}

/// Gives the larger blocks back, and those from the address on. The others stay taken: they are the gaps.
///
/// # Safety
/// The list is not used again.
unsafe fn give_back_all(mut taken: *mut u8, from: *mut u8) {
    while !taken.is_null() {
        // SAFETY: written by `take_all`, and given back once.
        unsafe {
            let block = taken;
            taken = block.cast::<*mut u8>().read();
            let size = block.cast::<usize>().add(1).read();
            std::ptr::write_bytes(block, 0, SMALLEST);
            if size >= LARGE || block >= from {
                give_back(block, size);
            }
        }
    }
}

/// Null when there is none.
fn take(size: usize) -> *mut u8 {
    // SAFETY: the size is not 0.
    Layout::from_size_align(size, 8).map_or(null_mut(), |layout| unsafe { alloc(layout) })
}

/// # Safety
/// The block was taken with this size, and is not used any more.
unsafe fn give_back(block: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, 8) {
        // SAFETY: given by the caller.
        unsafe { dealloc(block, layout) }
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
