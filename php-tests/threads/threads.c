/*
 * PHP in several threads of one process, as servers do it that embed PHP: threads PHP.INI ROUNDS THREADS REQUESTS SCRIPT...
 *
 * Each round starts so many threads, each of which serves so many requests and ends; the next round begins when all have
 * ended. The script of a request is the one whose turn it is: the list is gone through by thread, and then by request.
 * The script finds its place in $round, $thread and $request.
 *
 * What comes out on stdout: for each request a line `request ROUND THREAD REQUEST BYTES SCRIPT` and so many bytes, which
 * are the request's output; after each round a line `round ROUND KIB DESCRIPTORS THREADS MAPPINGS`: what the process
 * holds then.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sapi/embed/php_embed.h>

#ifndef ZTS
# error "PHP has no threads: it was configured without --enable-zts"
#endif

struct output {
    char *bytes;
    size_t length, room;
};

struct job {
    int round, thread;
};

static _Thread_local struct output output;
static pthread_barrier_t begin;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static int requests, script_count;
static char **scripts;

static void fail(const char *what)
{
    perror(what);
    exit(2);
}

static size_t keep_output(const char *bytes, size_t length)
{
    if (output.length + length > output.room) {
        output.room = (output.length + length) * 2;
        output.bytes = realloc(output.bytes, output.room);
        if (!output.bytes)
            fail("realloc");
    }
    memcpy(output.bytes + output.length, bytes, length);
    output.length += length;
    return length;
}

static void keep_log(const char *text, int level)
{
    (void) level;
    keep_output(text, strlen(text));
    keep_output("\n", 1);
}

static void no_flush(void *context)
{
    (void) context;
}

static void serve(const struct job *job, int request)
{
    char *script = scripts[(job->thread + request) % script_count];
    char place[4096];
    snprintf(place, sizeof place,
        "$round = %d; $thread = %d; $request = %d;"
        "$_SERVER['SCRIPT_FILENAME'] = dirname('%s') . \"/r{$round}t{$thread}q{$request}-\" . basename('%s');",
        job->round, job->thread, request, script, script);

    output.length = 0;
    SG(server_context) = (void *) job;     /* not null: what the request's headers and its own php.ini need */
    SG(request_info).request_method = "GET";
    SG(request_info).argc = 0;
    if (php_request_startup() == FAILURE) {
        fprintf(stderr, "a request does not start\n");
        exit(2);
    }
    SG(headers_sent) = 1;
    SG(request_info).no_headers = 1;
    zend_first_try {
        zend_file_handle file;
        zend_eval_string(place, NULL, "the place of a request");
        zend_stream_init_filename(&file, script);
        php_execute_script(&file);
        zend_destroy_file_handle(&file);
    } zend_end_try();
    php_request_shutdown(NULL);
    SG(server_context) = NULL;

    pthread_mutex_lock(&printing);
    printf("request %d %d %d %zu %s\n", job->round, job->thread, request, output.length, script);
    fwrite(output.bytes, 1, output.length, stdout);
    pthread_mutex_unlock(&printing);
}

static void *thread(void *given)
{
    struct job *job = given;
    ts_resource(0);
    pthread_barrier_wait(&begin);
    for (int request = 0; request < requests; request++)
        serve(job, request);
    free(output.bytes);
    output = (struct output) {0};
    ts_free_thread();
    return NULL;
}

static int entries(const char *folder)
{
    int count = -3;     /* ".", ".." and the folder's own descriptor */
    DIR *opened = opendir(folder);
    if (!opened)
        fail(folder);
    while (readdir(opened))
        count++;
    closedir(opened);
    return count;
}

static void show_holdings(int round)
{
    long kib = 0;
    int mappings = 0;
    char line[4096];
    FILE *file = fopen("/proc/self/status", "r");
    if (!file)
        fail("/proc/self/status");
    while (fgets(line, sizeof line, file))
        sscanf(line, "RssAnon: %ld", &kib);     /* not what of shared files is in memory */
    fclose(file);
    file = fopen("/proc/self/maps", "r");
    if (!file)
        fail("/proc/self/maps");
    while (fgets(line, sizeof line, file))
        mappings++;
    fclose(file);
    printf("round %d %ld %d %d %d\n", round, kib, entries("/proc/self/fd"), entries("/proc/self/task") + 1, mappings);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: %s PHP.INI ROUNDS THREADS REQUESTS SCRIPT...\n", argv[0]);
        return 2;
    }
    int rounds = atoi(argv[2]), threads = atoi(argv[3]);
    requests = atoi(argv[4]);
    scripts = argv + 5;
    script_count = argc - 5;

    php_embed_module.name = "threads";     /* "embed" counts as a command line, which has no limits of web requests */
    php_embed_module.pretty_name = "PHP in threads";
    php_embed_module.ub_write = keep_output;
    php_embed_module.flush = no_flush;
    php_embed_module.log_message = keep_log;
    php_embed_module.php_ini_path_override = argv[1];
    char *no_arguments[] = {argv[0], NULL};
    if (php_embed_init(1, no_arguments) == FAILURE)
        return 2;
    /* The request that it has begun is none of the tests'. */
    php_request_shutdown(NULL);

    pthread_t started[threads];
    struct job jobs[threads];
    for (int round = 0; round < rounds; round++) {
        pthread_barrier_init(&begin, NULL, threads);
        for (int i = 0; i < threads; i++) {
            jobs[i] = (struct job) {round, i};
            if (pthread_create(&started[i], NULL, thread, &jobs[i]))
                fail("pthread_create");
        }
        for (int i = 0; i < threads; i++)
            pthread_join(started[i], NULL);
        pthread_barrier_destroy(&begin);
        show_holdings(round);
    }
    /* php_embed_shutdown() ends a request. */
    php_request_startup();
    php_embed_shutdown();
    return 0;
}
