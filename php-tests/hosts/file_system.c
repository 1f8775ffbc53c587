/* Preloaded: each open file is on the file system whose magic number FILE_SYSTEM holds (statfs(2)), one that counts no files. */
#include "../fpm/preloaded.h"
#include <stdlib.h>
#include <sys/vfs.h>

int fstatfs(int file, struct statfs *found)
{
    int (*real)(int, struct statfs *) = dlsym(RTLD_NEXT, "fstatfs");
    int result = real(file, found);
    found->f_type = strtoul(getenv("FILE_SYSTEM"), NULL, 16);
    found->f_files = 0;
    return result;
}
