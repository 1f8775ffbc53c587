<?php

/**
 * The programs that the benches start: the test server, PHP-FPM behind nginx, and commands that end by themselves.
 *
 * Whatever was started is ended through its own process handle, at the latest when this process ends.
 */

declare(strict_types=1);

/** A program in the foreground, ended by a signal. */
final class Daemon
{
    /** @var resource|null */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];
    public readonly int $pid;

    /**
     * @param list<string> $command
     * @param array<string, string>|null $environment
     */
    public function __construct(array $command, private readonly string $log, ?array $environment = null)
    {
        $this->process = proc_open(
            $command,
            [['pipe', 'r'], ['pipe', 'w'], ['file', $log, 'a']],
            $this->pipes,
            env_vars: $environment,
        ) ?: throw new Unavailable("cannot start $command[0]");
        $this->pid = proc_get_status($this->process)['pid'];
        register_shutdown_function($this->stop(...));
    }

    public function line(): string
    {
        return (string) fgets($this->pipes[1]);
    }

    /** @return resource */
    public function output()
    {
        return $this->pipes[1];
    }

    public function running(): bool
    {
        return $this->process !== null && proc_get_status($this->process)['running'];
    }

    /** The end of what it had to say. */
    public function log(): string
    {
        return implode('', array_slice(file($this->log) ?: [], -10));
    }

    public function stop(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process);
            array_map(fclose(...), $this->pipes);
            proc_close($this->process);
            $this->process = null;
        }
    }
}

/** The scripted server of php-tests/server, built with optimisation: what it costs counts in some of the numbers. */
final class TestServer
{
    /** @var array<string, mixed> its addresses and files */
    private readonly array $description;

    public function __construct(string $folder)
    {
        $daemon = new Daemon([getenv('TEST_SERVER') ?: self::build(), '--dir', $folder], "$folder/server.log");
        $this->description = json_decode($daemon->line(), true) ?? throw new Unavailable('the test server ended: ' . $daemon->log());
    }

    private static function build(): string
    {
        progress('building the test server (cargo build --release --package test-server)');
        run(['cargo', 'build', '--locked', '--quiet', '--release', '--package', 'test-server']);
        return (getenv('CARGO_TARGET_DIR') ?: 'target') . '/release/test-server';
    }

    public function of(string $key): string
    {
        return $this->description[$key];
    }

    /** A request to its control endpoints (php-tests/server/README.md). */
    public function control(string $method, string $path, mixed $body = null): mixed
    {
        $options = ['method' => $method, 'ignore_errors' => true];
        if ($body !== null) {
            $options += ['content' => json_encode($body), 'header' => 'Content-Type: application/json'];
        }
        $answer = json_decode((string) file_get_contents(
            $this->of('control') . $path,
            context: stream_context_create(['http' => $options]),
        ), true);
        return isset($answer['error']) ? throw new RuntimeException($answer['error']) : $answer;
    }
}

/** PHP-FPM with a fixed number of workers, and nginx in front of it, both in a folder of their own. */
final class Web
{
    private readonly Daemon $fpm;
    private readonly Daemon $nginx;
    private readonly string $folder;
    private readonly int $port;

    public function __construct(private readonly Setting $setting, int $workers, bool $extension = true)
    {
        $this->folder = "$setting->folder/web-" . bin2hex(random_bytes(3));
        mkdir($this->folder);
        $this->port = self::freePort();
        file_put_contents("$this->folder/fpm.conf", $this->fpmConfiguration($workers));
        file_put_contents("$this->folder/nginx.conf", $this->nginxConfiguration());
        $as_root = posix_getuid() === 0 ? ['--allow-to-run-as-root'] : [];
        $this->fpm = new Daemon(
            [self::fpmProgram(), '-c', $setting->iniFile($extension), '-y', "$this->folder/fpm.conf", '-F', ...$as_root],
            "$this->folder/fpm.log",
            $setting->environment(),
        );
        self::wait(fn(): bool => file_exists("$this->folder/fpm.sock") || !$this->fpm->running());
        $this->nginx = new Daemon(['nginx', '-p', $this->folder, '-e', 'stderr', '-c', "$this->folder/nginx.conf"], "$this->folder/nginx.log");
        self::wait(fn(): bool => @file_get_contents($this->url('page.php?client=nothing')) === '1024' || !$this->nginx->running());
        if (!$this->fpm->running() || !$this->nginx->running()) {
            throw new Unavailable("PHP-FPM and nginx do not start:\n" . $this->fpm->log() . $this->nginx->log());
        }
    }

    public function url(string $page): string
    {
        return "http://127.0.0.1:$this->port/$page";
    }

    /** A page's text; anything but 200 is an error. */
    public function get(string $page): string
    {
        $text = @file_get_contents($this->url($page), context: stream_context_create(['http' => ['ignore_errors' => true]]));
        if ($text === false || !str_contains($http_response_header[0] ?? '', ' 200')) {
            throw new RuntimeException("$page: " . ($http_response_header[0] ?? 'no answer') . " $text\n" . $this->fpm->log() . $this->nginx->log());
        }
        return $text;
    }

    /** @return list<int> process ids of the workers */
    public function workers(): array
    {
        $children = file_get_contents("/proc/{$this->fpm->pid}/task/{$this->fpm->pid}/children");
        return array_map(intval(...), preg_split('/ /', $children, -1, PREG_SPLIT_NO_EMPTY));
    }

    public function stop(): void
    {
        $this->nginx->stop();
        $this->fpm->stop();
    }

    /** @param callable(): bool $condition */
    private static function wait(callable $condition): void
    {
        for ($i = 0; $i < 500 && !$condition(); $i++) {
            usleep(10_000);
        }
    }

    private function fpmConfiguration(int $workers): string
    {
        $user = posix_getuid() === 0 ? "user = root\n" : '';
        return <<<TEXT
            [global]
            error_log = /dev/stderr
            log_level = warning
            [bench]
            {$user}listen = $this->folder/fpm.sock
            pm = static
            pm.max_children = $workers
            pm.max_requests = 0
            catch_workers_output = yes

            TEXT;
    }

    private function nginxConfiguration(): string
    {
        $user = posix_getuid() === 0 ? 'user root;' : '';
        $pages = realpath('benches/www');
        $upstream = $this->setting->server;
        return <<<TEXT
            $user
            daemon off;
            worker_processes 1;
            pid nginx.pid;
            events { worker_connections 64; }
            http {
                access_log off;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                keepalive_requests 1000000;
                server {
                    listen 127.0.0.1:$this->port;
                    root $pages;
                    location / {
                        fastcgi_pass unix:$this->folder/fpm.sock;
                        fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
                        fastcgi_param SCRIPT_NAME \$fastcgi_script_name;
                        fastcgi_param REQUEST_METHOD \$request_method;
                        fastcgi_param QUERY_STRING \$query_string;
                        fastcgi_param REQUEST_URI \$request_uri;
                        fastcgi_param SERVER_PROTOCOL \$server_protocol;
                        fastcgi_param RETRY_CLIENT_START \$msec;
                        fastcgi_param UPSTREAM {$upstream->of('https')};
                    }
                }
            }

            TEXT;
    }

    private static function fpmProgram(): string
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        foreach (["php-fpm$version", 'php-fpm'] as $name) {
            if ($path = trim((string) shell_exec("command -v $name"))) {
                return $path;
            }
        }
        throw new Unavailable("php-fpm$version is not installed: make setup");
    }

    /** Free now, and as good as free until nginx takes it a moment later. */
    private static function freePort(): int
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        return (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
    }
}

/**
 * What a command prints; a failure is an exception.
 *
 * @param list<string> $command
 * @param array<string, string>|null $environment
 */
function run(array $command, ?array $environment = null): string
{
    return run_at_once([$command], $environment)[0];
}

/**
 * The same of commands that run at the same time.
 *
 * @param list<list<string>> $commands
 * @param array<string, string>|null $environment
 * @return list<string>
 */
function run_at_once(array $commands, ?array $environment = null): array
{
    [$processes, $outputs, $texts] = [[], [], []];
    foreach ($commands as $command) {
        $processes[] = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['file', 'php://stderr', 'a']], $pipes, env_vars: $environment)
            ?: throw new Unavailable("cannot start $command[0]");
        $outputs[] = $pipes[1];
    }
    foreach ($commands as $i => $command) {
        $texts[] = stream_get_contents($outputs[$i]);
        $code = proc_close($processes[$i]);
        $code === 0 ?: throw new RuntimeException(implode(' ', $command) . " ended with exit code $code\n$texts[$i]");
    }
    return $texts;
}

/**
 * A number of kB from a file of /proc, summed over the lines that match.
 */
function proc_kilobytes(string $file, string $pattern): float
{
    preg_match_all("/^(?:$pattern):\s+(\d+) kB$/m", (string) file_get_contents($file), $m);
    return (float) array_sum($m[1]);
}
