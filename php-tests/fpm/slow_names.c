/* Preloaded into php-fpm: names that end in .slow take 20 s to resolve, as with a name server that does not answer;
 * names that end in .quick are this machine. */
#include "preloaded.h"
#include <netdb.h>
#include <string.h>
#include <unistd.h>

static int ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    if (node && ends_in(node, ".slow")) {
        sleep(20);
        return EAI_AGAIN;
    }
    return real(node && ends_in(node, ".quick") ? "127.0.0.1" : node, service, hints, result);
}
