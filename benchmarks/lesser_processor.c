// A process that finds no more than AVX2 when it asks what its processor has.
//
// The kernel makes the instruction cpuid a fault, which is answered here without the
// bits of AVX-512 and AMX. Threads and programs that the process starts are answered so,
// too: `lesser_processor.py` builds this library, and names it in LD_PRELOAD.

#define _GNU_SOURCE
#include <cpuid.h>
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { ARCH_SET_CPUID = 0x1012 };

enum { FEATURES = 7, STATES = 13 };

// AVX512 F, DQ, IFMA, PF, ER, CD, BW, VL.
static const unsigned FEATURES_EBX =
    1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 | 1u << 28 | 1u << 30 | 1u << 31;
// AVX512 VBMI, VBMI2, VNNI, BITALG, VPOPCNTDQ.
static const unsigned FEATURES_ECX = 1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14;
// AVX512 4VNNIW, 4FMAPS, VP2INTERSECT, FP16; AMX BF16, TILE, INT8.
static const unsigned FEATURES_EDX =
    1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25;
// AVX-VNNI, AVX512 BF16, AMX FP16, AVX-IFMA.
static const unsigned MORE_FEATURES_EAX = 1u << 4 | 1u << 5 | 1u << 21 | 1u << 23;
// Registers of AVX-512 and of AMX.
static const unsigned STATES_EAX = 7u << 5 | 3u << 17;

typedef int (*set_action)(int, const struct sigaction *, struct sigaction *);
typedef void (*handler)(int);
typedef handler (*set_handler)(int, handler);

static void set_cpuid(long is_allowed) {
  syscall(SYS_arch_prctl, ARCH_SET_CPUID, is_allowed);
}

static void answer(int number, siginfo_t *info, void *context) {
  (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned char *code = (const unsigned char *)registers[REG_RIP];
  if (code[0] != 0x0f || code[1] != 0xa2) {  // A fault of the program: it ends.
    ((set_handler)dlsym(RTLD_NEXT, "signal"))(number, SIG_DFL);
    return;
  }
  unsigned leaf = (unsigned)registers[REG_RAX], part = (unsigned)registers[REG_RCX];
  unsigned a, b, c, d;
  set_cpuid(1);
  __cpuid_count(leaf, part, a, b, c, d);
  set_cpuid(0);
  if (leaf == FEATURES && part == 0) {
    b &= ~FEATURES_EBX;
    c &= ~FEATURES_ECX;
    d &= ~FEATURES_EDX;
  }
  if (leaf == FEATURES && part == 1) a &= ~MORE_FEATURES_EAX;
  if (leaf == STATES && part == 0) a &= ~STATES_EAX;
  registers[REG_RAX] = a;
  registers[REG_RBX] = b;
  registers[REG_RCX] = c;
  registers[REG_RDX] = d;
  registers[REG_RIP] += 2;
}

// Nobody else gets the signal, such as a compiler that says where it has ended.

int sigaction(int number, const struct sigaction *action, struct sigaction *before) {
  if (number == SIGSEGV) {
    if (before != NULL) memset(before, 0, sizeof *before);
    return 0;
  }
  return ((set_action)dlsym(RTLD_NEXT, "sigaction"))(number, action, before);
}

handler signal(int number, handler chosen) {
  if (number == SIGSEGV) return SIG_DFL;
  return ((set_handler)dlsym(RTLD_NEXT, "signal"))(number, chosen);
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  ((set_action)dlsym(RTLD_NEXT, "sigaction"))(SIGSEGV, &action, NULL);
  set_cpuid(0);
}
