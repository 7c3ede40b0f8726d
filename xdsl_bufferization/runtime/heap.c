// The books of the counting heap: what `heap.py` describes. `heap.ll` is made of this
// file by `make runtime-ir`.
//
// No Python runs in here, so that a signal handler cannot either. One lock guards the
// books of all heaps. It is held for short times only, and never while memory is
// allocated, filled or freed by the functions of the heap.
//
// A table says of each address that a heap has given out how large it is, or that it
// was freed. It is open to linear search, at most half full; an address of 0 is a free
// place.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// As in `native_heap.py`.
#define FRESH_BYTE 0xFF
#define FREED_BYTE 0xCC
#define WAS_FREED UINT64_MAX         // -1
#define IS_FOREIGN (UINT64_MAX - 1)  // -2

#define FEWEST_PLACES 64

struct entry {
  uint64_t address;
  uint64_t size;
};

// Freed memory that is held back.
struct held {
  struct held *next;
  void *pointer;
  uint64_t size;
};

// As in `HeapReport`.
struct counters {
  uint64_t allocs;
  uint64_t frees;
  uint64_t live_bytes;
  uint64_t peak_bytes;
  uint64_t double_frees;
  uint64_t foreign_frees;
  uint64_t copies;
  uint64_t copied_bytes;
};

struct heap {
  void *(*malloc)(uint64_t size);
  void *(*aligned_alloc)(uint64_t alignment, uint64_t size);
  void (*free)(void *pointer);
  uint64_t poison;  // whether memory is poisoned
  struct counters counters;
  struct entry *table;
  uint64_t places;      // in the table, a power of two
  uint64_t used;        // places in use
  uint64_t live;        // live allocations
  struct held *first;   // the memory held back for longest
  struct held *last;    // the memory held back last
  uint64_t held_bytes;  // bytes held back
  uint64_t most_held;   // the most bytes to hold back
  uint64_t ends;        // whether the heap ends with its last allocation
};

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *pointer);
int sched_yield(void);

static _Atomic uint32_t guard = 0;

void xbuf_heap_lock(void) {
  while (atomic_exchange_explicit(&guard, 1, memory_order_acquire) != 0)
    sched_yield();
}

void xbuf_heap_unlock(void) {
  atomic_store_explicit(&guard, 0, memory_order_release);
}

// The table.

// Where an address is, or would be.
static uint64_t index_of(const struct entry *table, uint64_t places, uint64_t address) {
  uint64_t mask = places - 1;
  uint64_t i = ((address * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & mask;
  while (table[i].address != address && table[i].address != 0)
    i = (i + 1) & mask;
  return i;
}

static void copy_entries(const struct heap *heap, struct entry *to, uint64_t places) {
  for (uint64_t i = 0; i < heap->places; i++) {
    struct entry entry = heap->table[i];
    if (entry.address != 0)
      to[index_of(to, places, entry.address)] = entry;
  }
}

// Whether there is room for one more address.
static bool make_room(struct heap *heap) {
  if (heap->used * 2 < heap->places)
    return true;
  uint64_t places = heap->places * 2;
  if (places < FEWEST_PLACES)
    places = FEWEST_PLACES;
  struct entry *table = calloc(places, sizeof(struct entry));
  if (table == NULL)
    return false;
  copy_entries(heap, table, places);
  struct entry *old = heap->table;
  heap->table = table;
  heap->places = places;
  free(old);
  return true;
}

static struct entry *entry_of(struct heap *heap, const void *pointer) {
  if (heap->places == 0)
    return NULL;
  uint64_t i = index_of(heap->table, heap->places, (uintptr_t)pointer);
  return heap->table[i].address == 0 ? NULL : &heap->table[i];
}

// Allocations.

static void enter(struct heap *heap, const void *pointer, uint64_t size) {
  uint64_t i = index_of(heap->table, heap->places, (uintptr_t)pointer);
  if (heap->table[i].address == 0)
    heap->used++;
  heap->table[i] = (struct entry){(uintptr_t)pointer, size};
  heap->live++;
  struct counters *counters = &heap->counters;
  counters->allocs++;
  counters->live_bytes += size;
  if (counters->peak_bytes < counters->live_bytes)
    counters->peak_bytes = counters->live_bytes;
}

static void *record(struct heap *heap, void *pointer, uint64_t size) {
  if (pointer == NULL)
    return NULL;
  if (heap->poison)
    __builtin_memset(pointer, FRESH_BYTE, size);
  xbuf_heap_lock();
  bool has_room = make_room(heap);
  if (has_room)
    enter(heap, pointer, size);
  xbuf_heap_unlock();
  if (has_room)
    return pointer;
  heap->free(pointer);
  return NULL;
}

void *xbuf_heap_alloc(struct heap *heap, uint64_t size) {
  return record(heap, heap->malloc(size), size);
}

void *xbuf_heap_aligned_alloc(struct heap *heap, uint64_t alignment, uint64_t size) {
  return record(heap, heap->aligned_alloc(alignment, size), size);
}

// What is held back.

static void hold_back(struct heap *heap, void *pointer, uint64_t size) {
  struct held *held = malloc(sizeof(struct held));
  if (held == NULL)
    return;  // Without memory for a note, the memory stays for ever.
  *held = (struct held){NULL, pointer, size};
  if (heap->first == NULL)
    heap->first = held;
  else
    heap->last->next = held;
  heap->last = held;
}

// Takes out what is held back beyond the limit: a list, the oldest first.
static struct held *excess_of(struct heap *heap) {
  struct held *first = heap->first;
  struct held *last = NULL;
  struct held *next = first;
  while (next != NULL && (heap->most_held == 0 || heap->held_bytes > heap->most_held)) {
    heap->held_bytes -= next->size;
    last = next;
    next = next->next;
  }
  heap->first = next;
  if (last == NULL)
    return NULL;
  last->next = NULL;
  return first;
}

static void free_all(void (*function)(void *), struct held *list) {
  while (list != NULL) {
    struct held *next = list->next;
    function(list->pointer);
    free(list);
    list = next;
  }
}

// Frees. A wrong address is counted, and otherwise ignored.

// Unlocks the books, and frees them if nobody needs them any more.
static void unlock_or_end(struct heap *heap) {
  bool is_over = heap->ends && heap->live == 0;
  xbuf_heap_unlock();
  if (!is_over)
    return;
  free(heap->table);
  free(heap);
}

static void free_entry(struct heap *heap, struct entry *entry, void *pointer) {
  uint64_t size = entry->size;
  entry->size = WAS_FREED;
  heap->live--;
  heap->counters.frees++;
  heap->counters.live_bytes -= size;
  // Without the lock, another thread may end the heap after its last allocation.
  void (*function)(void *) = heap->free;
  if (!heap->poison) {
    unlock_or_end(heap);
    function(pointer);
    return;
  }
  heap->held_bytes += size;
  // Filled under the lock: what is held back may be freed by any thread.
  __builtin_memset(pointer, FREED_BYTE, size);
  hold_back(heap, pointer, size);
  struct held *excess = excess_of(heap);
  unlock_or_end(heap);
  free_all(function, excess);
}

void xbuf_heap_free(struct heap *heap, void *pointer) {
  if (pointer == NULL)
    return;
  xbuf_heap_lock();
  struct entry *entry = entry_of(heap, pointer);
  if (entry != NULL && entry->size != WAS_FREED) {
    free_entry(heap, entry, pointer);
    return;
  }
  if (entry == NULL)
    heap->counters.foreign_frees++;
  else
    heap->counters.double_frees++;
  xbuf_heap_unlock();
}

// What Python calls.

struct heap *xbuf_heap_new(
    void *(*malloc)(uint64_t), void *(*aligned_alloc)(uint64_t, uint64_t),
    void (*free)(void *), uint64_t poison, uint64_t most_held) {
  struct heap *heap = calloc(1, sizeof(struct heap));
  if (heap == NULL)
    return NULL;
  heap->malloc = malloc;
  heap->aligned_alloc = aligned_alloc;
  heap->free = free;
  heap->poison = poison;
  heap->most_held = most_held;
  return heap;
}

// Nobody has the heap any more; it ends with its last allocation.
void xbuf_heap_close(struct heap **owner) {
  struct heap *heap = *owner;
  if (heap == NULL)
    return;
  *owner = NULL;
  xbuf_heap_lock();
  heap->ends = 1;
  heap->most_held = 0;
  void (*function)(void *) = heap->free;
  struct held *excess = excess_of(heap);
  unlock_or_end(heap);
  free_all(function, excess);
}

// The size of a live allocation, WAS_FREED, or IS_FOREIGN if it is of another heap.
uint64_t xbuf_heap_size(struct heap *heap, const void *pointer) {
  xbuf_heap_lock();
  struct entry *entry = entry_of(heap, pointer);
  uint64_t size = entry == NULL ? IS_FOREIGN : entry->size;
  xbuf_heap_unlock();
  return size;
}

void xbuf_heap_count_copy(struct heap *heap, uint64_t size) {
  xbuf_heap_lock();
  heap->counters.copies++;
  heap->counters.copied_bytes += size;
  xbuf_heap_unlock();
}

void xbuf_heap_report(struct heap *heap, struct counters *report) {
  xbuf_heap_lock();
  *report = heap->counters;
  xbuf_heap_unlock();
}

// Counts anew; what is live stays live, and is the new peak.
void xbuf_heap_reset(struct heap *heap) {
  xbuf_heap_lock();
  uint64_t live = heap->counters.live_bytes;
  heap->counters = (struct counters){.live_bytes = live, .peak_bytes = live};
  xbuf_heap_unlock();
}
