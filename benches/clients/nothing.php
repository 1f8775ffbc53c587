<?php

/** Sends nothing: what a page costs by itself. */

return static fn(string $url): string => str_repeat('x', 1024);
