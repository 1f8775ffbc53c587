<?php

/** A page that sends one request with the named client and prints the length of the answer. */

$get = require __DIR__ . '/../clients/' . basename($_GET['client']) . '.php';
echo strlen($get("$_SERVER[UPSTREAM]/bytes/1024"));
