#!/usr/bin/env bash
# Exits with 0 if the server in this container serves: healthcheck.sh [PORT]
#
# Asks for /healthz without a JVM. Only where the port speaks TLS, which bash does not, a small Java program asks.
set -u
port=${1:-7480}
home=$(cd "$(dirname "$0")/.." && pwd -P)

if exec 3<>"/dev/tcp/127.0.0.1/$port"; then
  printf 'GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
  if IFS=' ' read -r -t 3 protocol status _ <&3 && [[ $protocol == HTTP/* ]]; then
    echo "$status"
    [ "$status" = 200 ]
    exit
  fi
else
  exit 1
fi
java=$home/runtime/bin/java
[ -x "$java" ] || java=java
exec "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx16m -cp "$home/lib/*" \
  io.taskmaster.proxy.http.HealthCheck "https://127.0.0.1:$port/healthz"
