/* A multi-layer perceptron in C on LIBXSMM 1.17, as one writes it by hand.
 *
 * Weights are packed into blocks ahead; the input is read row-major, what lies between
 * layers is in blocks, and the result is row-major. Each block of a layer is one
 * batch-reduce kernel, then bias and ReLU while the block is in the cache. Blocks of a
 * layer are shared among threads.
 */

#include <libxsmm.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NO_BIAS, ROW_BIAS, FULL_BIAS };

typedef struct {
  int n, k, block_n, block_k, input_is_blocked, output_is_blocked;
  float *weights; /* [n / block_n][k / block_k][block_k][block_n] */
  const float *bias;
  libxsmm_smmfunction_reducebatch_strd kernel;
} layer_t;

typedef struct {
  int layers, batch, block_m, bias, relu;
  layer_t *layer;
  float *scratch[2];
} mlp_t;

static float *aligned(size_t count) {
  void *memory = NULL;
  return posix_memalign(&memory, 64, count * sizeof(float)) ? NULL : memory;
}

mlp_t *mlp_create(int layers, int batch, const int *widths, int block, int bias,
                  int relu, float **weights, float **biases) {
  libxsmm_init();
  mlp_t *mlp = calloc(1, sizeof *mlp);
  *mlp = (mlp_t){layers, batch, block, bias, relu, calloc(layers, sizeof(layer_t)), {0}};
  int widest = 0;
  for (int i = 0; i < layers; ++i) {
    const int k = widths[i], n = widths[i + 1];
    layer_t *layer = &mlp->layer[i];
    *layer = (layer_t){n, k, block, block, i > 0, i + 1 < layers, aligned((size_t)k * n),
                       biases[i], NULL};
    for (int row = 0; row < k; ++row)
      for (int column = 0; column < n; ++column) {
        const size_t at = (((size_t)(column / block) * (k / block) + row / block) * block +
                           row % block) * block + column % block;
        layer->weights[at] = weights[i][(size_t)row * n + column];
      }
    const int lda = layer->input_is_blocked ? block : k, ldb = block;
    const int ldc = layer->output_is_blocked ? block : n;
    const int stride_a = layer->input_is_blocked ? block * block : block;
    const float one = 1, zero = 0;
    const int flags = LIBXSMM_GEMM_FLAG_NONE;
    layer->kernel = libxsmm_smmdispatch_reducebatch_strd(
        block, block, block, block * block * 4, stride_a * 4, &ldb, &lda, &ldc, &one,
        &zero, &flags, NULL);
    if (!layer->kernel || !layer->weights) return NULL;
    if (n > widest) widest = n;
  }
  for (int i = 0; i < 2; ++i) mlp->scratch[i] = aligned((size_t)batch * widest);
  return mlp;
}

static void finish(const mlp_t *mlp, const layer_t *layer, float *out, int row,
                   int column, int ldc) {
  const int block = mlp->block_m;
  for (int i = 0; i < block; ++i) {
    const float *bias = NULL;
    if (mlp->bias == ROW_BIAS) bias = layer->bias + column;
    if (mlp->bias == FULL_BIAS) bias = layer->bias + (size_t)(row + i) * layer->n + column;
    for (int j = 0; j < block; ++j) {
      float value = out[(size_t)i * ldc + j] + (bias ? bias[j] : 0);
      out[(size_t)i * ldc + j] = mlp->relu && value < 0 ? 0 : value;
    }
  }
}

void mlp_run(const mlp_t *mlp, const float *input, float *output) {
  const int block = mlp->block_m, rows = mlp->batch / block;
  const float *in = input;
  for (int i = 0; i < mlp->layers; ++i) {
    const layer_t *layer = &mlp->layer[i];
    float *out = layer->output_is_blocked ? mlp->scratch[i % 2] : output;
    const int columns = layer->n / block, ldc = layer->output_is_blocked ? block : layer->n;
    const unsigned long long count = layer->k / block;
#pragma omp parallel for collapse(2) schedule(static)
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        const float *a = in + (size_t)row * block * layer->k;
        const float *b = layer->weights + (size_t)column * block * layer->k;
        float *c = layer->output_is_blocked
                       ? out + ((size_t)row * columns + column) * block * block
                       : out + (size_t)row * block * layer->n + (size_t)column * block;
        layer->kernel(b, a, c, &count);
        if (mlp->bias != NO_BIAS || mlp->relu)
          finish(mlp, layer, c, row * block, column * block, ldc);
      }
    in = out;
  }
}
