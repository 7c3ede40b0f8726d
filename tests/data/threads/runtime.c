/* What compiled code calls, in C that ThreadSanitizer understands.

   libgomp synchronises by system calls that it does not see: here a team is made of
   threads that are started and joined. Kernels are plain loops that read and write what
   those of the runtime do, for what a perceptron needs of f32. */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's instrumentation calls these, which the library of an older compiler lacks; it
   looks at the functions of C under their own names. */
void *__tsan_memcpy(void *to, const void *from, size_t size) {
  return memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
  return memmove(to, from, size);
}
void *__tsan_memset(void *to, int byte, size_t size) { return memset(to, byte, size); }

#define MOST_THREADS 64

static __thread int thread_number = 0;
static __thread int team_size = 1;
static __thread pthread_barrier_t *barrier; /* That of the team: several may run. */

struct member {
  void (*function)(void *);
  void *data;
  int number;
  int team_size;
  pthread_barrier_t *barrier;
};

static void *run_member(void *argument) {
  struct member *member = argument;
  thread_number = member->number;
  team_size = member->team_size;
  barrier = member->barrier;
  member->function(member->data);
  return NULL;
}

static void run_alone(void (*function)(void *), void *data) {
  int number = thread_number, size = team_size;
  thread_number = 0;
  team_size = 1;
  function(data);
  thread_number = number;
  team_size = size;
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads,
                   unsigned flags) {
  (void)flags;
  if (threads > MOST_THREADS)
    abort();
  if (threads < 2 || team_size > 1) {
    run_alone(function, data);
    return;
  }
  pthread_t started[MOST_THREADS];
  struct member members[MOST_THREADS];
  pthread_barrier_t shared;
  pthread_barrier_init(&shared, NULL, threads);
  for (unsigned i = 0; i < threads; i++) {
    members[i] = (struct member){function, data, (int)i, (int)threads, &shared};
    if (pthread_create(&started[i], NULL, run_member, &members[i]) != 0)
      abort();
  }
  for (unsigned i = 0; i < threads; i++)
    pthread_join(started[i], NULL);
  pthread_barrier_destroy(&shared);
}

void GOMP_barrier(void) {
  if (team_size > 1)
    pthread_barrier_wait(barrier);
}

/* A chunk is that of the thread with its number, not of whoever comes first: rounds that
   meet must be on two threads every time. */

static __thread uint64_t loop_at, loop_end, loop_chunk;

bool GOMP_loop_ull_dynamic_next(uint64_t *first, uint64_t *behind) {
  if (loop_at >= loop_end)
    return false;
  *first = loop_at;
  *behind = loop_end - loop_at < loop_chunk ? loop_end : loop_at + loop_chunk;
  loop_at += (uint64_t)team_size * loop_chunk;
  return true;
}

bool GOMP_loop_ull_dynamic_start(bool up, uint64_t start, uint64_t end, uint64_t step,
                                 uint64_t chunk, uint64_t *first, uint64_t *behind) {
  if (!up || step != 1)
    abort();
  loop_at = start + (uint64_t)thread_number * chunk;
  loop_end = end;
  loop_chunk = chunk;
  return GOMP_loop_ull_dynamic_next(first, behind);
}

void GOMP_loop_end_nowait(void) {}

int omp_get_thread_num(void) { return thread_number; }

int omp_get_num_threads(void) { return team_size; }

/* A handle is the address of a description, as the dispatch takes it. */

static int64_t handle_of(const int64_t *description, int count) {
  int64_t *kept = malloc((size_t)count * sizeof(int64_t));
  for (int i = 0; i < count; i++)
    kept[i] = description[i];
  return (int64_t)kept;
}

int64_t xsmm_unary_dispatch(int64_t kind, int64_t type, int64_t m, int64_t n,
                            int64_t ldi, int64_t ldo, int64_t flags) {
  int64_t description[] = {kind, type, m, n, ldi, ldo, flags};
  if (kind != 1 || type != 1 || flags != 0)
    abort(); /* Only copies. */
  return handle_of(description, 7);
}

void xsmm_unary_invoke(int64_t type, int64_t handle, float *in, int64_t in_offset,
                       float *out, int64_t out_offset) {
  const int64_t *d = (const int64_t *)handle;
  (void)type;
  for (int64_t i = 0; i < d[2]; i++)
    for (int64_t j = 0; j < d[3]; j++)
      out[out_offset + i * d[5] + j] = in[in_offset + i * d[4] + j];
}

int64_t xsmm_fused_brgemm_dispatch(int64_t type, int64_t m, int64_t n, int64_t k,
                                   int64_t lda, int64_t ldb, int64_t ldc,
                                   int64_t stride_a, int64_t stride_b,
                                   int64_t flags, int64_t unary_flags,
                                   int64_t unary, int64_t binary_flags,
                                   int64_t binary, int64_t ldd) {
  int64_t description[] = {m, n, k, lda, ldb, ldc, stride_a, stride_b, ldd};
  if (type != 1 || flags != 4 || unary_flags || unary != 5 || binary_flags ||
      binary != 1)
    abort(); /* Only max(A * B + D, 0). */
  return handle_of(description, 9);
}

void xsmm_fused_brgemm_invoke(int64_t type, int64_t handle, float *a,
                              int64_t a_offset, float *b, int64_t b_offset, float *c,
                              int64_t c_offset, float *d, int64_t d_offset,
                              int64_t batch) {
  const int64_t *s = (const int64_t *)handle;
  (void)type;
  for (int64_t i = 0; i < s[0]; i++)
    for (int64_t j = 0; j < s[1]; j++) {
      float sum = d[d_offset + i * s[8] + j];
      for (int64_t r = 0; r < batch; r++)
        for (int64_t p = 0; p < s[2]; p++)
          sum += a[a_offset + r * s[6] + i * s[3] + p] *
                 b[b_offset + r * s[7] + p * s[4] + j];
      c[c_offset + i * s[5] + j] = sum > 0 ? sum : 0;
    }
}
