/* SPDX-License-Identifier: BSL-1.0 */
/* Copyright (c) 2026 the flopledger authors */
#ifndef FLOPLEDGER_H
#define FLOPLEDGER_H

/* The requests of docs/requests.md, and the meter of a training loop, from C and whatever calls C.
   Every function may be called from any thread. A meter is used by one thread at a time. Nothing throws. */

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define FLOPLEDGER_API __attribute__((visibility("default")))
#else
#define FLOPLEDGER_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0" */
FLOPLEDGER_API const char* flopledger_version(void);

/* What came of a request: the exit statuses of the program. */
enum flopledger_status {
  FLOPLEDGER_ANSWERED = 0,
  FLOPLEDGER_FAILED = 1, /* no memory; there is no answer */
  FLOPLEDGER_REFUSED = 2 /* the answer is {"error": {"message": ..., "field": ..., "value": ...}} */
};

/* Answers one JSON object of `size` bytes. `*answer` is JSON in one line that ends with a zero; release it. */
FLOPLEDGER_API enum flopledger_status flopledger_ask(const char* request, size_t size, char** answer);
FLOPLEDGER_API void flopledger_release(char* answer);

/* The dense peak of one device in FLOP/s, by the exact name that CUDA or ROCm reports (cudaDeviceProp.name) and a
   format
   ("bf16", "fp16", "fp8", "tf32", ...). 0 where either is unknown: another device's peak would be a wrong number.
   `multiprocessors` is what the runtime counts, 0 where it was not asked. */
FLOPLEDGER_API double flopledger_peak(const char* runtime_name, int multiprocessors, const char* format);

/* What a meter must know of a run: FLOPs and tokens of a step on all devices together. */
struct flopledger_run {
  double model_flops_per_step;
  double recomputed_flops_per_step;
  double tokens_per_step;
  double devices;
  double peak_flop_per_second; /* of one device, dense; 0: unknown, and there is no MFU */
  int64_t warm_up_steps;       /* first steps that count nowhere */
  int64_t window_steps;        /* that averages look back, 1 to 256 */
};

enum flopledger_flag {
  FLOPLEDGER_NO_FLAG = 0,
  FLOPLEDGER_NO_TIME = 1,   /* the duration is not above zero: the step counts nowhere */
  FLOPLEDGER_ABOVE_PEAK = 2 /* work, time or peak is of something else */
};

struct flopledger_rates {
  double step_seconds; /* mean */
  double tokens_per_second;
  double mfu; /* 0 without a peak */
  double hfu;
};

struct flopledger_reading {
  int64_t step; /* from 1 */
  int warm_up;
  enum flopledger_flag flag;
  int has_peak;
  struct flopledger_rates last, window, run;
};

struct flopledger_meter;
/* Null where the run cannot be metered: no tokens, no FLOPs, no device, a window that is too long. */
FLOPLEDGER_API struct flopledger_meter* flopledger_meter_create(const struct flopledger_run* run);
FLOPLEDGER_API void flopledger_meter_destroy(struct flopledger_meter* meter);
/* One step; never allocates. Where its work is not that of the run, the second function takes what it is. */
FLOPLEDGER_API struct flopledger_reading flopledger_meter_step(struct flopledger_meter* meter, double seconds);
FLOPLEDGER_API struct flopledger_reading flopledger_meter_step_of(struct flopledger_meter* meter, double seconds,
                                                                  double model_flops, double recomputed_flops,
                                                                  double tokens);
/* Memory in use after a step, in bytes, so that what grows is seen. */
FLOPLEDGER_API void flopledger_meter_memory(struct flopledger_meter* meter, double bytes);

enum flopledger_writer {
  FLOPLEDGER_LINE = 0,       /* for people */
  FLOPLEDGER_JSON = 1,       /* one object in one line */
  FLOPLEDGER_OPENMETRICS = 2 /* whole text with its end */
};
/* What the meter says now; release it. Null where there is no memory. */
FLOPLEDGER_API char* flopledger_meter_text(const struct flopledger_meter* meter, enum flopledger_writer as);

#ifdef __cplusplus
}
#endif

#endif
