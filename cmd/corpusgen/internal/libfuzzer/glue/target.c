// The entry points of libFuzzer for one fuzz target, named TARGET, of the package in DIRECTORY. The functions espalier... are
// Go functions: corpusgen adds them to the package internal/fuzz of a test binary, which is
// linked as a C archive.

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What runs without libFuzzer's knowledge.
struct explored {
	int exploring;
	size_t size;
	uintptr_t data; // 0 while a generator makes the input
};

int espalierStart(char *target, char *directory, int argc, char **argv, struct explored *explored);
void espalierEnd(void);
int espalierRun(uint8_t *data, size_t size);
size_t espalierMutate(uint8_t *data, size_t size, size_t max);

// Libfuzzer's own mutations; other engines lack them.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

static struct explored explored;
static int stock; // mutate bytes, not values
static const char *prefix = "./";

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	static const char flag[] = "-artifact_prefix=";
	for (int i = 1; i < *argc; i++) {
		if (strncmp((*argv)[i], flag, sizeof flag - 1) == 0)
			prefix = (*argv)[i] + sizeof flag - 1;
		if (strcmp((*argv)[i], "--stock") == 0)
			stock = LLVMFuzzerMutate != NULL;
	}
	espalierStart(TARGET, DIRECTORY, *argc, *argv, &explored);
#ifdef STRUCTURED
	atexit(espalierEnd);
#endif
	return 0;
}

#ifdef STRUCTURED
static struct sigaction libFuzzerAbort;

// Libfuzzer would save an input that does not run.
static void onAbort(int signal, siginfo_t *info, void *context) {
	if (!explored.exploring) {
		libFuzzerAbort.sa_sigaction(signal, info, context);
		return;
	}
	fprintf(stderr, "==%d== ERROR: libFuzzer: deadly signal\nSUMMARY: libFuzzer: deadly signal\n", getpid());
	const uint8_t *data = (const uint8_t *)explored.data;
	if (data == NULL) {
		fprintf(stderr, "no file is written: this happens in the generator, while it makes a value whose bytes are not known yet\n");
		_exit(77);
	}
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < explored.size; i++)
		hash = (hash ^ data[i]) * 0x100000001b3;
	char path[4096];
	snprintf(path, sizeof path, "%scrash-%016llx", prefix, (unsigned long long)hash);
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	ssize_t n = file < 0 ? -1 : write(file, data, explored.size);
	if (n == (ssize_t)explored.size)
		fprintf(stderr, "artifact_prefix='%s'; Test unit written to %s\n", prefix, path);
	else
		fprintf(stderr, /* the mark of our binaries, of which this source has parts only */
			"this binary of " "corpusgen libfuzzer cannot write %s\n", path);
	_exit(77);
}
#endif

// A handler of libFuzzer must not run on the small stack of a goroutine.
static void useSignalStacks(void) {
	static const int signals[] = {SIGABRT, SIGALRM, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ};
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction action;
		if (sigaction(signals[i], NULL, &action) != 0 || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN || action.sa_flags & SA_ONSTACK)
			continue;
		action.sa_flags |= SA_ONSTACK;
		sigaction(signals[i], &action, NULL);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static int ready;
	if (!ready) {
		ready = 1;
		useSignalStacks();
#ifdef STRUCTURED
		struct sigaction action;
		if (sigaction(SIGABRT, NULL, &libFuzzerAbort) == 0 && libFuzzerAbort.sa_flags & SA_SIGINFO) {
			action = libFuzzerAbort;
			action.sa_sigaction = onAbort;
			sigaction(SIGABRT, &action, NULL);
		}
#endif
	}
	if (espalierRun((uint8_t *)data, size))
		abort();
	return 0;
}

#ifdef STRUCTURED
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) {
	return stock ? LLVMFuzzerMutate(data, size, max) : espalierMutate(data, size, max);
}
#endif
