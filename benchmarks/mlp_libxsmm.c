/* A multi-layer perceptron in C on LIBXSMM 1.17, as one writes it by hand.
 *
 * Weights are packed into blocks ahead; the input is read row-major, what lies between
 * layers is in blocks if what one layer writes the next can read like that, and the
 * result is row-major. Each block of a layer is one batch-reduce kernel, then bias and
 * ReLU while the block is in the cache. Blocks of a layer are shared among threads.
 */

#include <libxsmm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NO_BIAS, ROW_BIAS, FULL_BIAS };

typedef struct {
  int n, k, input_is_blocked, output_is_blocked;
  float *weights; /* [n / block_n][k / block_k][block_k][block_n] */
  const float *bias;
  libxsmm_smmfunction_reducebatch_strd kernel;
} layer_t;

typedef struct {
  int layers, batch, block_m, block_n, block_k, bias, relu;
  layer_t *layer;
  float *scratch[2];
} mlp_t;

static float *aligned(size_t count) {
  void *memory = NULL;
  return posix_memalign(&memory, 64, count * sizeof(float)) ? NULL : memory;
}

/* Blocks are the rows of C, the columns of C and the columns of A in a block. */
mlp_t *mlp_create(int layers, int batch, const int *widths, const int *blocks, int bias,
                  int relu, float **weights, float **biases) {
  libxsmm_init();
  mlp_t *mlp = calloc(1, sizeof *mlp);
  const int block_m = blocks[0], block_n = blocks[1], block_k = blocks[2];
  *mlp = (mlp_t){layers, batch, block_m, block_n, block_k, bias, relu,
                 calloc(layers, sizeof(layer_t)), {0}};
  int widest = 0;
  for (int i = 0; i < layers; ++i) {
    const int k = widths[i], n = widths[i + 1];
    layer_t *layer = &mlp->layer[i];
    const int may_be_blocked = block_n == block_k;
    *layer = (layer_t){n, k, may_be_blocked && i > 0, may_be_blocked && i + 1 < layers,
                       aligned((size_t)k * n), biases[i], NULL};
    for (int row = 0; row < k; ++row)
      for (int column = 0; column < n; ++column) {
        const size_t of_block = (size_t)(column / block_n) * (k / block_k) + row / block_k;
        const size_t at = (of_block * block_k + row % block_k) * block_n + column % block_n;
        layer->weights[at] = weights[i][(size_t)row * n + column];
      }
    const int lda = layer->input_is_blocked ? block_k : k, ldb = block_n;
    const int ldc = layer->output_is_blocked ? block_n : n;
    const int stride_a = layer->input_is_blocked ? block_m * block_k : block_k;
    const float one = 1, zero = 0;
    const int flags = LIBXSMM_GEMM_FLAG_NONE;
    layer->kernel = libxsmm_smmdispatch_reducebatch_strd(
        block_n, block_m, block_k, block_k * block_n * 4, stride_a * 4, &ldb, &lda, &ldc, &one,
        &zero, &flags, NULL);
    if (!layer->kernel || !layer->weights) return NULL;
    if (n > widest) widest = n;
  }
  for (int i = 0; i < 2; ++i) mlp->scratch[i] = aligned((size_t)batch * widest);
  return mlp;
}

static void finish(const mlp_t *mlp, const layer_t *layer, float *out, int row,
                   int column, int ldc) {
  for (int i = 0; i < mlp->block_m; ++i) {
    const float *bias = NULL;
    if (mlp->bias == ROW_BIAS) bias = layer->bias + column;
    if (mlp->bias == FULL_BIAS) bias = layer->bias + (size_t)(row + i) * layer->n + column;
    for (int j = 0; j < mlp->block_n; ++j) {
      float value = out[(size_t)i * ldc + j] + (bias ? bias[j] : 0);
      out[(size_t)i * ldc + j] = mlp->relu && value < 0 ? 0 : value;
    }
  }
}

void mlp_run(const mlp_t *mlp, const float *input, float *output) {
  const int block_m = mlp->block_m, block_n = mlp->block_n, rows = mlp->batch / block_m;
  const float *in = input;
  for (int i = 0; i < mlp->layers; ++i) {
    const layer_t *layer = &mlp->layer[i];
    float *out = i + 1 < mlp->layers ? mlp->scratch[i % 2] : output;
    const int columns = layer->n / block_n;
    const int ldc = layer->output_is_blocked ? block_n : layer->n;
    const unsigned long long count = layer->k / mlp->block_k;
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const float *a = in + (size_t)row * block_m * layer->k;
        const float *b = layer->weights + (size_t)column * block_n * layer->k;
        float *c = layer->output_is_blocked
                       ? out + ((size_t)row * columns + column) * block_m * block_n
                       : out + (size_t)row * block_m * layer->n + (size_t)column * block_n;
        layer->kernel(b, a, c, &count);
        if (mlp->bias != NO_BIAS || mlp->relu)
          finish(mlp, layer, c, row * block_m, column * block_n, ldc);
      }
    in = out;
  }
}
