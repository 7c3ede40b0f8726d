/* What a program around one compiled function needs: numbers in, numbers out, and a
   heap that counts. `emulate.py` writes the rest, and describes the two files.

   Everything is a 64-bit word, or the bytes of elements. The heap fills memory that
   it gives out, and memory that it takes back, so that reading either shows. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIELDS 3 /* Of a descriptor, before sizes and strides. */
#define MAX_RANK 64
#define NO_BUFFER ((void *)0xdeadbeef) /* The allocated pointer of a constant. */

static FILE *inputs, *outputs;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* The heap. */

#define GUARD 64
#define LIVE 0x4c495645u
#define FREED 0x46524545u
#define POISON 0xff

typedef struct {
  void *start;
  int64_t bytes;
  uint32_t state;
} Header;

static struct {
  int64_t allocs, frees, live_bytes, peak_bytes, copies, wrong_frees;
} counts;

void *_mlir_memref_to_llvm_aligned_alloc(int64_t alignment, int64_t bytes) {
  if (alignment < GUARD) alignment = GUARD;
  char *start = malloc(bytes + 2 * alignment);
  if (start == NULL) fail("there is not enough memory");
  uintptr_t first = (uintptr_t)start + alignment;
  char *buffer = (char *)(first + (alignment - first % alignment) % alignment);
  Header *header = (Header *)(buffer - GUARD);
  *header = (Header){start, bytes, LIVE};
  memset(buffer, POISON, bytes);
  counts.allocs += 1;
  counts.live_bytes += bytes;
  if (counts.live_bytes > counts.peak_bytes) counts.peak_bytes = counts.live_bytes;
  return buffer;
}

void *_mlir_memref_to_llvm_alloc(int64_t bytes) {
  return _mlir_memref_to_llvm_aligned_alloc(GUARD, bytes);
}

/* Memory is not given back, so that a second free of it is seen. */
void _mlir_memref_to_llvm_free(void *buffer) {
  if (buffer == NULL) return;
  Header *header = (Header *)((char *)buffer - GUARD);
  if (buffer == NO_BUFFER || header->state != LIVE) {
    counts.wrong_frees += 1;
    return;
  }
  header->state = FREED;
  memset(buffer, POISON, header->bytes);
  counts.frees += 1;
  counts.live_bytes -= header->bytes;
}

void _xbuf_count_copy(int64_t bytes) { counts.copies += 1; }

void *_xbuf_counted_memcpy(void *to, const void *from, size_t bytes) {
  counts.copies += 1;
  return memcpy(to, from, bytes);
}

/* Numbers in and out. */

static void read_bytes(void *to, size_t bytes) {
  if (bytes != 0 && fread(to, bytes, 1, inputs) != 1) fail("the inputs end early");
}

static void write_bytes(const void *from, size_t bytes) {
  if (bytes != 0 && fwrite(from, bytes, 1, outputs) != 1) fail("cannot write outputs");
}

/* Words: offset, sizes, strides, bytes of elements; then the elements. */
static void *read_memref(void *descriptor, int rank, size_t width) {
  int64_t words[FIELDS + 2 * MAX_RANK];
  read_bytes(words + 2, (1 + 2 * rank) * sizeof *words);
  int64_t bytes;
  read_bytes(&bytes, sizeof bytes);
  char *elements = aligned_alloc(GUARD, (bytes / GUARD + 1) * GUARD);
  if (elements == NULL) fail("there is not enough memory");
  read_bytes(elements, bytes);
  words[0] = (int64_t)elements;
  words[1] = (int64_t)elements - words[2] * (int64_t)width;
  memcpy(descriptor, words, (FIELDS + 2 * rank) * sizeof *words);
  return elements;
}

static void write_dimension(
    const char *at, int rank, const int64_t *sizes, const int64_t *strides,
    size_t width) {
  if (rank == 0) {
    write_bytes(at, width);
    return;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    write_dimension(
        at + i * strides[0] * (int64_t)width, rank - 1, sizes + 1, strides + 1, width);
}

/* Sizes, then the elements in row-major order. */
static void write_memref(const void *descriptor, int rank, size_t width) {
  int64_t words[FIELDS + 2 * MAX_RANK];
  memcpy(words, descriptor, (FIELDS + 2 * rank) * sizeof *words);
  write_bytes(words + FIELDS, rank * sizeof *words);
  const char *first = (const char *)words[1] + words[2] * (int64_t)width;
  write_dimension(first, rank, words + FIELDS, words + FIELDS + rank, width);
}

/* Frees the buffer of a result, if it is neither an argument nor a constant, and no
   result before it had the same. */
static void release(void **results, int count, void **arguments, int argument_count) {
  for (int i = 0; i < count; ++i) {
    int owned = results[i] != NO_BUFFER;
    for (int j = 0; j < argument_count; ++j) owned &= results[i] != arguments[j];
    for (int j = 0; j < i; ++j) owned &= results[i] != results[j];
    if (owned) _mlir_memref_to_llvm_free(results[i]);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

void run(void);

int main(int argc, char **argv) {
  inputs = fopen(argv[1], "rb");
  outputs = fopen(argv[2], "wb");
  if (argc != 3 || inputs == NULL || outputs == NULL) fail("cannot open two files");
  run();
  if (fclose(outputs) != 0) fail("cannot write outputs");
  return 0;
}
