/* For what is preloaded into php-fpm, and is to stand in for functions of libc in extensions, too. */
#define _GNU_SOURCE
#include <dlfcn.h>

/* PHP loads extensions with RTLD_DEEPBIND, which would hide the function below from them. */
void *dlopen(const char *file, int flags)
{
    void *(*real)(const char *, int) = dlsym(RTLD_NEXT, "dlopen");
    return real(file, flags & ~RTLD_DEEPBIND);
}
