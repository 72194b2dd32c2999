// Delays each fsync and fdatasync of a process by SLOW_DISK_US microseconds, as a slower disk would.
//
//   cc -shared -fPIC -o slow-disk.so slow-disk.c -ldl

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *delay = getenv("SLOW_DISK_US");
  if (delay != NULL) usleep((useconds_t)atoi(delay));
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
