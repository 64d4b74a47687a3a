//! What a thread allocates, counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

#[derive(Clone, Copy)]
struct Counts {
    allocations: u64,
    /// Bytes held now; less than nothing where a thread frees what another one gave it.
    live: i64,
    peak: i64,
}

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { allocations: 0, live: 0, peak: 0 }) };
}

fn count(allocations: u64, more: usize, less: usize) {
    COUNTS.with(|cell| {
        let mut counts = cell.get();
        counts.allocations += allocations;
        counts.live += more as i64;
        counts.peak = counts.peak.max(counts.live);
        counts.live -= less as i64;
        cell.set(counts);
    });
}

/// Counts what each thread allocates.
struct Counting;

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe by its trait; this one hands everything on to the system's"
)]
// SAFETY: each call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size(), 0);
        // SAFETY: the caller's promises are those the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // As if it were moved: both are held for a moment.
        count(1, size, layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(0, 0, layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How often this thread allocates in a piece of work.
pub(crate) fn allocations(of: impl FnOnce()) -> u64 {
    let before = COUNTS.with(Cell::get).allocations;
    of();
    COUNTS.with(Cell::get).allocations - before
}

/// What a piece of work gives, and the most bytes that this thread held in it beyond those before.
pub(crate) fn peak<T>(of: impl FnOnce() -> T) -> (T, usize) {
    let before = COUNTS.with(|cell| {
        let counts = cell.get();
        cell.set(Counts {
            peak: counts.live,
            ..counts
        });
        counts.live
    });
    let value = of();
    let peak = COUNTS.with(Cell::get).peak - before;
    (value, peak.max(0) as usize)
}

#[test]
fn memory_is_counted() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1u8; 9]))) > 0);
    let work = || {
        let held = std::hint::black_box(vec![1u8; 1_000]);
        drop(std::hint::black_box(vec![1u8; 5_000]));
        held
    };
    let (held, bytes) = peak(work);
    assert_eq!((held.len(), bytes), (1_000, 6_000));
}
