// The usual call: arrays in, arrays out, and nothing of it in Python. `quick_call.py`
// describes it. `call.ll` is made of this file by `make runtime-ir`.
//
// A call is usual if each argument is an array of NumPy that fits as it is, and each
// result is new memory. `quick_call` answers `missed` where it is not, and has done
// nothing: then Python looks at the arguments, and says what is wrong with them. If the
// results are not as usual, or something failed, it answers a list of the raw results
// and of the arrays that were passed.
//
// What is known of objects is their layout in CPython and in NumPy, on machines of 64
// bits: `quick_call.py` looks whether it is so.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// As in `quick_call.py`.
#define MOST_BUFFERS 254
#define MOST_RANK 32
#define MOST_WORDS 4096
#define GLOBAL_POINTER 0xDEADBEEF  // as in `abi.py`

// Flags of NumPy.
#define C_CONTIGUOUS 0x0001
#define ALIGNED 0x0100
#define WRITEABLE 0x0400

#define OPEN (-1)      // a size that the type leaves open
#define RETURNED (-1)  // a result that is not in an argument

struct object {
  int64_t count;
  struct object *type;
};

struct array {
  struct object head;
  char *data;
  int32_t rank;
  int64_t *sizes;
  int64_t *strides;
  struct object *base;
  struct object *dtype;
  int32_t flags;
};

struct argument {
  struct object *dtype;
  struct object *other_dtype;  // the same without a sign, or null
  int64_t item_bytes;
  int64_t rank;
  int64_t first_size;  // in the sizes of the plan
  int64_t is_written;  // in place
  int64_t is_copied;
};

struct result {
  int64_t buffer;  // the argument that it is, or RETURNED
  int64_t is_copied;
  int64_t word;  // of its descriptor, if it is returned
  struct object *dtype;
  int64_t item_bytes;
  int64_t rank;
};

struct plan {
  void *function;
  int64_t arguments_count;
  int64_t results_count;
  int64_t rivals_count;
  int64_t record_words;  // 0 if nothing can fail
  int64_t free_word;     // of the record
  int64_t free;          // the function that it names
  int64_t returned_words;
  struct object *missed;
  int64_t results_at;  // in words from the start of the plan, as the next two
  int64_t sizes_at;
  int64_t rivals_at;
  struct argument arguments[];
};

// Functions of CPython and of NumPy, as in `quick_call.py`.
struct api {
  struct object *array_type;
  struct object *none;
  char *(*bytes_data)(struct object *bytes);
  void *(*capsule_pointer)(struct object *capsule, const char *name);
  struct object *(*capsule_new)(void *pointer, const char *name,
                                void (*destroy)(struct object *));
  int (*capsule_set_context)(struct object *capsule, void *context);
  void *(*capsule_context)(struct object *capsule);
  void (*increment)(struct object *);
  void (*decrement)(struct object *);
  void *(*save_thread)(void);
  void (*restore_thread)(void *);
  struct object *(*tuple_new)(int64_t size);
  int (*tuple_set)(struct object *tuple, int64_t at, struct object *stolen);
  struct object *(*list_new)(int64_t size);
  int (*list_set)(struct object *list, int64_t at, struct object *stolen);
  struct object *(*bytes_new)(const char *bytes, int64_t size);
  struct object *(*array_copy)(struct array *array, int order);
  struct object *(*array_new)(struct object *type, struct object *stolen_dtype,
                              int rank, const int64_t *sizes,
                              const int64_t *strides, void *data, int flags,
                              struct object *unused);
  int (*array_set_base)(struct array *array, struct object *stolen);
};

struct api api;

typedef void (*release_function)(void *pointer);

static struct object *held(struct object *object) {
  api.increment(object);
  return object;
}

static void free_owned(struct object *capsule) {
  release_function release = (release_function)api.capsule_context(capsule);
  release(api.capsule_pointer(capsule, NULL));
}

// What frees memory when the last array over it is collected.
static struct object *owner_of(void *pointer, int64_t release) {
  struct object *owner = api.capsule_new(pointer, NULL, free_owned);
  if (owner == NULL)
    ((release_function)release)(pointer);
  else
    api.capsule_set_context(owner, (void *)release);
  return owner;
}

static const struct result *result_at(const struct plan *plan, int64_t at) {
  return (const struct result *)((const int64_t *)plan + plan->results_at) + at;
}

static bool fits(const struct plan *plan, const struct argument *wanted,
                 struct object *value) {
  if (value->type != api.array_type) return false;
  const struct array *array = (const struct array *)value;
  if (array->dtype != wanted->dtype && array->dtype != wanted->other_dtype)
    return false;
  int32_t flags = C_CONTIGUOUS | ALIGNED | (wanted->is_written ? WRITEABLE : 0);
  if ((array->flags & flags) != flags || array->rank != wanted->rank) return false;
  const int64_t *sizes = (const int64_t *)plan + plan->sizes_at + wanted->first_size;
  for (int64_t axis = 0; axis < wanted->rank; axis++) {
    int64_t size = array->sizes[axis];
    if (size == 0 || (sizes[axis] != OPEN && sizes[axis] != size)) return false;
  }
  return true;
}

static int64_t count_bytes(const struct array *array, int64_t item_bytes) {
  int64_t bytes = item_bytes;
  for (int32_t axis = 0; axis < array->rank; axis++) bytes *= array->sizes[axis];
  return bytes;
}

static bool overlap(const struct plan *plan, struct array **passed, int64_t one,
                    int64_t other) {
  const char *first = passed[one]->data, *second = passed[other]->data;
  int64_t bytes = count_bytes(passed[one], plan->arguments[one].item_bytes);
  int64_t others = count_bytes(passed[other], plan->arguments[other].item_bytes);
  return first < second + others && second < first + bytes;
}

// The descriptor of an array in row-major order.
static int64_t *describe(int64_t *words, const struct array *array) {
  int64_t rank = array->rank;
  words[0] = words[1] = (int64_t)array->data;
  words[2] = 0;
  int64_t stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; axis--) {
    words[3 + axis] = array->sizes[axis];
    words[3 + rank + axis] = stride;
    stride *= array->sizes[axis];
  }
  return words + 3 + 2 * rank;
}

#define P0 void
#define P1 void *
#define P2 P1, void *
#define P3 P2, void *
#define P4 P3, void *
#define P5 P4, void *
#define P6 P5, void *
#define P7 P6, void *
#define P8 P7, void *
#define P9 P8, void *
#define P10 P9, void *
#define P11 P10, void *
#define P12 P11, void *
#define P13 P12, void *
#define P14 P13, void *
#define P15 P14, void *
#define P16 P15, void *
#define A1 p[0]
#define A2 A1, p[1]
#define A3 A2, p[2]
#define A4 A3, p[3]
#define A5 A4, p[4]
#define A6 A5, p[5]
#define A7 A6, p[6]
#define A8 A7, p[7]
#define A9 A8, p[8]
#define A10 A9, p[9]
#define A11 A10, p[10]
#define A12 A11, p[11]
#define A13 A12, p[12]
#define A14 A13, p[13]
#define A15 A14, p[14]
#define A16 A15, p[15]
#define P16X4 P16, P16, P16, P16
#define P256 P16X4, P16X4, P16X4, P16X4
#define A4_AT(n) p[n], p[n + 1], p[n + 2], p[n + 3]
#define A16_AT(n) A4_AT(n), A4_AT(n + 4), A4_AT(n + 8), A4_AT(n + 12)
#define A64_AT(n) A16_AT(n), A16_AT(n + 16), A16_AT(n + 32), A16_AT(n + 48)
#define A256 A64_AT(0), A64_AT(64), A64_AT(128), A64_AT(192)
#define CASE(n)                          \
  case n:                                \
    ((void (*)(P##n))function)(A##n);    \
    return;

// If there are more than 16 pointers, others are passed behind them, at which the
// function does not look. On machines of 64 bits the caller removes what it has passed.
static void call(void *function, int64_t count, void **p) {
  switch (count <= 16 ? count : 256) {
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
    CASE(9) CASE(10) CASE(11) CASE(12) CASE(13) CASE(14) CASE(15) CASE(16)
    CASE(256)
    default:
      ((void (*)(void))function)();
  }
}

static void drop(struct array **objects, int64_t count) {
  for (int64_t at = 0; at < count; at++) api.decrement((struct object *)objects[at]);
}

// Whether each returned result is memory of its own.
static bool are_usual(const struct plan *plan, struct array **passed,
                      const int64_t *returned) {
  for (int64_t at = 0; at < plan->results_count; at++) {
    const struct result *result = result_at(plan, at);
    if (result->buffer != RETURNED) continue;
    int64_t allocated = returned[result->word];
    if (allocated == 0 || allocated == GLOBAL_POINTER) return false;
    for (int64_t axis = 0; axis < result->rank; axis++)
      if (returned[result->word + 3 + axis] == 0) return false;
    for (int64_t other = 0; other < plan->arguments_count; other++)
      if ((int64_t)passed[other]->data == allocated) return false;
    for (int64_t other = 0; other < at; other++)
      if (result_at(plan, other)->buffer == RETURNED &&
          returned[result_at(plan, other)->word] == allocated)
        return false;
  }
  return true;
}

// An array over memory that `base` keeps, which is given away; null if it fails.
static struct object *array_over(void *data, const struct result *result,
                                 const int64_t *sizes, const int64_t *strides,
                                 struct object *base) {
  _Alignas(16) int64_t bytes[MOST_RANK];
  for (int64_t axis = 0; axis < result->rank; axis++)
    bytes[axis] = strides[axis] * result->item_bytes;
  struct object *array = api.array_new(api.array_type, held(result->dtype),
                                       (int)result->rank, sizes, bytes, data,
                                       WRITEABLE, NULL);
  if (array == NULL) {
    api.decrement(base);
    return NULL;
  }
  if (api.array_set_base((struct array *)array, base) < 0) {
    api.decrement(array);
    return NULL;
  }
  return array;
}

static struct object *result_in(const struct plan *plan, const struct result *result,
                                struct array *array) {
  if (result->is_copied) return api.array_copy(array, 0);
  if (plan->arguments[result->buffer].is_copied) return held((struct object *)array);
  _Alignas(16) int64_t strides[MOST_RANK];
  int64_t stride = 1;
  for (int64_t axis = result->rank - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= array->sizes[axis];
  }
  return array_over(array->data, result, array->sizes, strides,
                    held((struct object *)array));
}

// All results, or null. Each returned result has an owner, also where others fail.
static struct object *results_of(const struct plan *plan, struct array **passed,
                                 const int64_t *returned) {
  int64_t count = plan->results_count;
  if (count == 0) return held(api.none);
  struct object *one = NULL, *all = count > 1 ? api.tuple_new(count) : NULL;
  int64_t failed = count > 1 && all == NULL;
  for (int64_t at = 0; at < count; at++) {
    const struct result *result = result_at(plan, at);
    if (result->buffer != RETURNED) {
      if (!failed) one = result_in(plan, result, passed[result->buffer]);
    } else {
      const int64_t *words = returned + result->word;
      struct object *owner = owner_of((void *)words[0], plan->free);
      char *data = (char *)words[1] + words[2] * result->item_bytes;
      if (failed && owner != NULL) api.decrement(owner);
      if (!failed)
        one = owner == NULL ? NULL
                            : array_over(data, result, words + 3,
                                         words + 3 + result->rank, owner);
    }
    if (!failed && one == NULL) failed = 1;
    if (!failed && count > 1) api.tuple_set(all, at, one);
  }
  if (!failed) return count > 1 ? all : one;
  if (all != NULL) api.decrement(all);
  return NULL;
}

// What Python looks at: the words that the code wrote, and the arrays it was passed.
static struct object *raw_results(const struct plan *plan, struct array **passed,
                                  const int64_t *words, int64_t count) {
  struct object *list = api.list_new(plan->arguments_count + 1);
  if (list == NULL) return NULL;
  struct object *bytes = api.bytes_new((const char *)words, 8 * count);
  if (bytes == NULL) {
    api.decrement(list);
    return NULL;
  }
  api.list_set(list, 0, bytes);
  for (int64_t at = 0; at < plan->arguments_count; at++)
    api.list_set(list, at + 1, held((struct object *)passed[at]));
  return list;
}

// A method of Python, of which `self` has the bytes of the plan.
struct object *quick_call(struct object *self, struct object *const *given,
                          int64_t count) {
  const struct plan *plan = (const struct plan *)api.bytes_data(self);
  const int64_t *rivals = (const int64_t *)plan + plan->rivals_at;
  if (count != plan->arguments_count) return held(plan->missed);
  // Alignment is stated where machines have different ones.
  _Alignas(16) struct array *passed[MOST_BUFFERS];
  for (int64_t at = 0; at < count; at++) {
    if (!fits(plan, &plan->arguments[at], given[at])) return held(plan->missed);
    passed[at] = (struct array *)given[at];
  }
  for (int64_t at = 0; at < plan->rivals_count; at++)
    if (overlap(plan, passed, rivals[2 * at], rivals[2 * at + 1]))
      return held(plan->missed);

  // The arrays must stay while the code runs, whatever other threads do.
  for (int64_t at = 0; at < count; at++) {
    if (plan->arguments[at].is_copied)
      passed[at] = (struct array *)api.array_copy(passed[at], 0);
    else
      api.increment(given[at]);
    if (passed[at] == NULL) {
      drop(passed, at);
      return NULL;
    }
  }

  _Alignas(16) int64_t words[MOST_WORDS];
  _Alignas(16) void *pointers[MOST_BUFFERS + 2];
  int64_t *next = words, **into = (int64_t **)pointers;
  int64_t raw_words = plan->record_words + plan->returned_words;
  for (int64_t at = 0; at < raw_words; at++) words[at] = 0;
  if (plan->record_words) {
    words[plan->free_word] = plan->free;
    *into++ = words;
  }
  int64_t *returned = words + plan->record_words;
  if (plan->returned_words) *into++ = returned;
  next += raw_words;
  for (int64_t at = 0; at < count; at++) {
    *into++ = next;
    next = describe(next, passed[at]);
  }
  void *thread = api.save_thread();
  call(plan->function, (void **)into - pointers, pointers);
  api.restore_thread(thread);

  struct object *results;
  if ((plan->record_words && words[0]) || !are_usual(plan, passed, returned))
    results = raw_results(plan, passed, words, raw_words);
  else
    results = results_of(plan, passed, returned);
  drop(passed, count);
  return results;
}
