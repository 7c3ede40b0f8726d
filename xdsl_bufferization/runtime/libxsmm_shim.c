/* Kernels of an installed LIBXSMM behind an interface of six functions.
 *
 * LIBXSMM's own interface differs from version to version, counts columns first, and
 * takes structures and pointers to constants. Here all is int64_t, matrices are
 * row-major, and the address of a kernel is returned, or 0 if LIBXSMM has none:
 *
 *   xbuf_libxsmm_interface     the version of this interface
 *   xbuf_libxsmm_version       LIBXSMM's: 1000000 major + 1000 minor + update
 *   xbuf_libxsmm_set_target    the processor for kernels, as LIBXSMM_TARGET has it
 *   xbuf_libxsmm_brgemm        void kernel(B, A, C, const uint64_t *batch)
 *   xbuf_libxsmm_copy          void kernel(in, const uint32_t *ldi, out, const *ldo)
 *   xbuf_libxsmm_transpose     the same
 *
 * Sizes, leading dimensions and strides count elements; data types and flags are those
 * of the xsmm dialect, which are LIBXSMM's: f32 1, bf16 2; beta_0 4, vnni_a 2048 (what is
 * next to each other in A's rows anyway), vnni_b 4096.
 *
 * Built by `make libxsmm-shim`, for LIBXSMM 1.17 (Debian's libxsmm-dev).
 */

#include <libxsmm.h>
#include <limits.h>
#include <stdint.h>

enum { F32 = 1, BF16 = 2, BETA_0 = 4, VNNI_A = 2048, VNNI_B = 4096 };

static int all_in_range(const int64_t *values, int count) {
  for (int i = 0; i < count; ++i)
    if (values[i] < 1 || values[i] > INT_MAX / 8) return 0;
  return 1;
}

int64_t xbuf_libxsmm_interface(void) { return 2; }

void xbuf_libxsmm_set_target(const char *name) { libxsmm_set_target_arch(name); }

int64_t xbuf_libxsmm_version(void) {
  libxsmm_init();
  return LIBXSMM_VERSION_MAJOR * 1000000LL + LIBXSMM_VERSION_MINOR * 1000LL +
         LIBXSMM_VERSION_UPDATE;
}

/* Row-major C = A B is column-major C' = B' A': the operands change places. */
int64_t xbuf_libxsmm_brgemm(int64_t data_type, int64_t m, int64_t n, int64_t k,
                            int64_t lda, int64_t ldb, int64_t ldc, int64_t stride_a,
                            int64_t stride_b, int64_t flags) {
  const int64_t sizes[] = {m, n, k, lda, ldb, ldc};
  if (!all_in_range(sizes, 6) || (flags & ~(BETA_0 | VNNI_A | VNNI_B))) return 0;
  if (stride_a < 0 || stride_b < 0) return 0;
  if (stride_a > INT_MAX / 8 || stride_b > INT_MAX / 8) return 0;
  const libxsmm_blasint left = ldb, right = lda, result = ldc;
  const float one = 1, beta = (flags & BETA_0) ? 0 : 1;
  if (data_type == F32 && !(flags & VNNI_B)) {
    const int plain = LIBXSMM_GEMM_FLAG_NONE;
    return (int64_t)(intptr_t)libxsmm_smmdispatch_reducebatch_strd(
        n, m, k, 4 * stride_b, 4 * stride_a, &left, &right, &result, &one, &beta,
        &plain, NULL);
  }
  /* 1.17 counts rows of A in pairs: those of an odd length come out wrong. */
  if (data_type == BF16 && (flags & VNNI_B) && k % 2 == 0 && lda % 2 == 0) {
    const int pairs = LIBXSMM_GEMM_FLAG_VNNI_A;
    return (int64_t)(intptr_t)libxsmm_bmmdispatch_reducebatch_strd(
        n, m, k, 2 * stride_b, 2 * stride_a, &left, &right, &result, &one, &beta,
        &pairs, NULL);
  }
  return 0;
}

static unsigned element_size(int64_t data_type) { return data_type == F32 ? 4 : 2; }

int64_t xbuf_libxsmm_copy(int64_t data_type, int64_t m, int64_t n, int64_t ldi,
                          int64_t ldo) {
  const int64_t sizes[] = {m, n, ldi, ldo};
  if (!all_in_range(sizes, 4)) return 0;
  libxsmm_descriptor_blob blob;
  return (int64_t)(intptr_t)libxsmm_dispatch_mcopy(libxsmm_mcopy_descriptor_init(
      &blob, element_size(data_type), n, m, ldo, ldi, 0, 0, NULL));
}

int64_t xbuf_libxsmm_transpose(int64_t data_type, int64_t m, int64_t n, int64_t ldi,
                               int64_t ldo) {
  const int64_t sizes[] = {m, n, ldi, ldo};
  if (!all_in_range(sizes, 4)) return 0;
  libxsmm_descriptor_blob blob;
  return (int64_t)(intptr_t)libxsmm_dispatch_trans(libxsmm_trans_descriptor_init(
      &blob, element_size(data_type), n, m, ldo));
}
