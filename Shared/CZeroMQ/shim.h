#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <zmq.h>

// Declared by glibc only to those who ask for all of GNU, which Swift's importer does not.
int pthread_setname_np(pthread_t thread, const char *name);
