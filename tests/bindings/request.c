/* SPDX-License-Identifier: BSL-1.0 */
/* Copyright (c) 2026 the flopledger authors */

/* The C interface from C, with threads: every call of every thread gets the answer of one thread alone. */

#include <flopledger.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;
#define CHECK(TRUTH)                                              \
  do {                                                            \
    if (!(TRUTH)) {                                               \
      ++failures;                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #TRUTH); \
    }                                                             \
  } while (0)

static const char* const count_request = "{\"command\": \"count\", \"model\": \"llama-3.1-8b\", \"sequence\": 1}";

static void* ask_often(void* differing) {
  for (int i = 0; i < 20; ++i) {
    char* answer = NULL;
    if (flopledger_ask(count_request, strlen(count_request), &answer) != FLOPLEDGER_ANSWERED ||
        strstr(answer, "8030261248") == NULL)
      ++*(int*)differing;
    flopledger_release(answer);
  }
  return NULL;
}

static void answers_and_errors(void) {
  char* answer = NULL;
  CHECK(flopledger_ask(count_request, strlen(count_request), &answer) == FLOPLEDGER_ANSWERED);
  CHECK(strchr(answer, '\n') == NULL);
  flopledger_release(answer);
  const char* const wrong = "{\"command\": \"count\", \"model\": \"llama-3.1-8b\", \"sequence\": -1}";
  CHECK(flopledger_ask(wrong, strlen(wrong), &answer) == FLOPLEDGER_REFUSED);
  CHECK(strstr(answer, "\"field\": \"sequence\"") != NULL || strstr(answer, "\"field\":\"sequence\"") != NULL);
  flopledger_release(answer);
  CHECK(flopledger_ask("", 0, &answer) == FLOPLEDGER_REFUSED);
  flopledger_release(answer);
}

static void threads_share_nothing(void) {
  pthread_t threads[4];
  int differing[4] = {0};
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, ask_often, &differing[i]);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    CHECK(differing[i] == 0);
  }
}

static void peaks_by_name(void) {
  CHECK(flopledger_peak("NVIDIA H100 80GB HBM3", 0, "bf16") == 989.4e12);
  CHECK(flopledger_peak("NVIDIA H100", 0, "bf16") == 0);
  CHECK(flopledger_peak("Tesla V100-SXM2-16GB", 0, "bf16") == 0);
  CHECK(flopledger_peak("NVIDIA H100 80GB HBM3", 0, "bf17") == 0);
}

static void a_meter(void) {
  struct flopledger_run run = {4e15, 0, 65536, 8, 1e15, 0, 2};
  struct flopledger_meter* meter = flopledger_meter_create(&run);
  CHECK(meter != NULL);
  struct flopledger_reading now = flopledger_meter_step(meter, 1);
  CHECK(now.step == 1 && now.flag == FLOPLEDGER_NO_FLAG && fabs(now.last.mfu - 0.5) < 1e-12);
  CHECK(flopledger_meter_step(meter, NAN).flag == FLOPLEDGER_NO_TIME);
  CHECK(flopledger_meter_step_of(meter, 1, 9e15, 0, 65536).flag == FLOPLEDGER_ABOVE_PEAK);
  char* line = flopledger_meter_text(meter, FLOPLEDGER_LINE);
  CHECK(strstr(line, "1 PFLOP/s a device") != NULL);
  flopledger_release(line);
  flopledger_meter_destroy(meter);
  run.tokens_per_step = 0;
  CHECK(flopledger_meter_create(&run) == NULL);
}

int main(void) {
  CHECK(strcmp(flopledger_version(), EXPECTED_VERSION) == 0);
  answers_and_errors();
  threads_share_nothing();
  peaks_by_name();
  a_meter();
  return failures != 0;
}
