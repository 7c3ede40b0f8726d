// A team of threads that share loops: what `team.py` describes. `team.ll` is made of
// this file by `make runtime-ir`.
//
// The thread that calls publishes a loop: what runs a share of it, and how many shares
// there are for others. A worker takes a share by counting them down, and counts up
// when the share is done. The caller runs its own share, then those that nobody has
// taken, and waits for the others. So nobody waits for a worker that is not there yet.
//
// What several threads write has a cache line of its own, and one in between.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MASK_BYTES 128  // of a set of cores, as in `team.py`
#define ROUNDS_OF_A_YIELD 64
#define TWO_LINES _Alignas(128)

struct counter {
  TWO_LINES _Atomic int64_t value;
};

// Room for a mutex or a condition of pthreads.
struct pthread_object {
  TWO_LINES char bytes[128];
};

struct mask {
  char bytes[MASK_BYTES];
};

// Runs a share of a loop; `rest` counts the iterations that were taken.
typedef void share_function(
    void *data, int64_t share, int64_t shares, _Atomic int64_t *rest);

static struct counter open_shares;  // those that nobody has
static struct counter done_shares;  // those that workers have done
static struct counter rest;
static struct counter is_busy;  // whether a loop is shared
static struct counter sleepers;
static share_function *function;
static void *data;
static int64_t team;
static int64_t workers;
static struct pthread_object mutex;
static struct pthread_object wake;

// What `team.py` sets.
int64_t default_threads = 1;
int64_t most_rounds = 1;  // of waiting, before a worker sleeps
int (*bind)(int, uint64_t, const struct mask *);  // sched_setaffinity, to bind workers
const struct mask *masks;                         // one for each worker
int64_t mask_count;

int pthread_create(uint64_t *thread, const void *attributes, void *(*start)(void *),
                   void *argument);
int pthread_detach(uint64_t thread);
int pthread_mutex_init(struct pthread_object *mutex, const void *attributes);
int pthread_mutex_lock(struct pthread_object *mutex);
int pthread_mutex_unlock(struct pthread_object *mutex);
int pthread_cond_init(struct pthread_object *condition, const void *attributes);
int pthread_cond_wait(struct pthread_object *condition, struct pthread_object *mutex);
int pthread_cond_broadcast(struct pthread_object *condition);
int sched_yield(void);

// Tells the processor that a thread waits; `team.py` writes it.
void pause_processor(void);

static inline int64_t get(struct counter *counter, memory_order order) {
  return atomic_load_explicit(&counter->value, order);
}

static inline void set(struct counter *counter, int64_t value, memory_order order) {
  atomic_store_explicit(&counter->value, value, order);
}

static inline void add(struct counter *counter, int64_t value, memory_order order) {
  atomic_fetch_add_explicit(&counter->value, value, order);
}

// Begin with no workers: at first, and in a child of a process that had some.
void begin(void) {
  set(&open_shares, 0, memory_order_relaxed);
  set(&done_shares, 0, memory_order_relaxed);
  set(&is_busy, 0, memory_order_relaxed);
  set(&sleepers, 0, memory_order_relaxed);
  workers = 0;
  pthread_mutex_init(&mutex, NULL);
  pthread_cond_init(&wake, NULL);
}

// So many iterations more are taken; returns how many were before.
int64_t xbuf_take_iterations(_Atomic int64_t *taken, int64_t count) {
  return atomic_fetch_add_explicit(taken, count, memory_order_relaxed);
}

// The number of a share that nobody has, or 0.
static int64_t take_share(void) {
  int64_t share = get(&open_shares, memory_order_acquire);
  while (share != 0 && !atomic_compare_exchange_strong_explicit(
                           &open_shares.value, &share, share - 1, memory_order_seq_cst,
                           memory_order_acquire)) {
  }
  return share;
}

// Now and then another thread gets this core: it may be the one that is waited for.
static void wait_a_little(int64_t round) {
  pause_processor();
  if (round % ROUNDS_OF_A_YIELD == ROUNDS_OF_A_YIELD - 1)
    sched_yield();
}

// The workers.

// Sleeps until a loop is shared, unless one is.
static void sleep_until_woken(void) {
  pthread_mutex_lock(&mutex);
  add(&sleepers, 1, memory_order_seq_cst);
  if (get(&open_shares, memory_order_seq_cst) == 0)
    pthread_cond_wait(&wake, &mutex);
  add(&sleepers, -1, memory_order_seq_cst);
  pthread_mutex_unlock(&mutex);
}

static void wait_for_shares(void) {
  for (int64_t round = 0; get(&open_shares, memory_order_acquire) == 0; round++) {
    if (round >= most_rounds) {
      sleep_until_woken();
      return;
    }
    wait_a_little(round);
  }
}

static void *work(void *argument) {
  int64_t number = (intptr_t)argument;
  if (number < mask_count)
    bind(0, MASK_BYTES, &masks[number]);
  for (;;) {
    wait_for_shares();
    int64_t share = take_share();
    if (share == 0)
      continue;
    // The caller waits for this share, so that these are of the same loop.
    function(data, share, team, &rest.value);
    add(&done_shares, 1, memory_order_release);
  }
}

static bool start_worker(void) {
  uint64_t thread;
  if (pthread_create(&thread, NULL, work, (void *)(intptr_t)workers) != 0)
    return false;
  pthread_detach(thread);
  workers++;
  return true;
}

// The caller.

static inline void publish(share_function *shared, void *argument, int64_t threads) {
  function = shared;
  data = argument;
  team = threads;
  set(&rest, 0, memory_order_relaxed);
  set(&done_shares, 0, memory_order_relaxed);
  set(&open_shares, threads - 1, memory_order_seq_cst);
  if (get(&sleepers, memory_order_seq_cst) == 0)
    return;
  pthread_mutex_lock(&mutex);
  pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&mutex);
}

static inline void share(share_function *shared, void *argument, int64_t threads) {
  while (workers < threads - 1 && start_worker()) {
  }
  publish(shared, argument, threads);
  shared(argument, 0, threads, &rest.value);
  int64_t waited_for = threads - 1;
  for (int64_t number; (number = take_share()) != 0; waited_for--)
    shared(argument, number, threads, &rest.value);
  for (int64_t round = 0; get(&done_shares, memory_order_acquire) != waited_for; round++)
    wait_a_little(round);
  set(&is_busy, 0, memory_order_release);
}

// Call `shared(argument, share, shares, rest)` for each share, and wait for all.
void xbuf_share_loop(share_function *shared, void *argument, int32_t asked) {
  int64_t threads = asked == 0 ? default_threads : asked;
  int64_t is_free = 0;
  if (threads > 1 && atomic_compare_exchange_strong_explicit(
                         &is_busy.value, &is_free, 1, memory_order_acquire,
                         memory_order_relaxed)) {
    share(shared, argument, threads);
    return;
  }
  // Another loop has the workers: that around this one, or one of another caller.
  _Atomic int64_t own_rest = 0;
  shared(argument, 0, 1, &own_rest);
}
