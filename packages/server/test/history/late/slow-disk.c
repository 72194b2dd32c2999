// Delays each fsync and fdatasync of a process, as a slower disk would. A test changes the delay at any moment.
//
//   cc -shared -fPIC -o slow-disk.so slow-disk.c -ldl -lpthread
//
// The file LATE_DISK_DELAY holds the delay in milliseconds. The file LATE_DISK_FLUSHES gets one "b" when a delayed
// flush begins and one "e" when it ends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long delay_ms(void) {
  const char *path = getenv("LATE_DISK_DELAY");
  char text[16] = "";
  int file = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atol(text);
}

static void note(const char *what) {
  const char *path = getenv("LATE_DISK_FLUSHES");
  int file = path == NULL ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, what, 1) < 0) abort();
  close(file);
}

static void wait_for_disk(void) {
  long ms = delay_ms();
  struct timespec rest = {ms / 1000, (ms % 1000) * 1000000};
  if (ms <= 0) return;
  note("b");
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
  note("e");
}

int fsync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return next(file);
}

int fdatasync(int file) {
  int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return next(file);
}
