#!/bin/sh
# Creates the AOT caches of the commands and of the server: train.sh LAUNCHER FOLDER [SUFFIX]
#
# A server on RocksDB in a temporary folder and the commands that talk to it run once while the JVM records what they load; the caches
# are in FOLDER as command$SUFFIX.aot and server$SUFFIX.aot. A folder that cannot be written and a training that fails are no errors
# of the caller: it starts without a cache, and "tried$SUFFIX" keeps later commands from trying again.
set -eu

launcher=$1
folder=$2
suffix=${3:-}

mkdir -p "$folder"
work=$folder/training
# One at a time. A training that was killed is swept away after ten minutes.
if ! mkdir "$work" 2>/dev/null; then
    [ -n "$(find "$work" -maxdepth 0 -mmin +10 2>/dev/null)" ] || exit 0
    rm -rf "$work"
    mkdir "$work"
fi
server=
finish() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 143' INT TERM
rm -f "$folder"/tried*
: >"$folder/tried$suffix"
# Whatever the user has set, the commands talk to this server, which has no TLS.
unset TASKMASTER_OPTS JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS
unset TASKMASTER_SERVER TASKMASTER_GROUP TASKMASTER_CA TASKMASTER_TOKEN_FILE TASKMASTER_PROFILE
export XDG_CONFIG_HOME="$work"

TASKMASTER_AOT_OUTPUT=$work/server.aot "$launcher" server --store rocksdb --data "$work/data" \
    --listen 127.0.0.1:0 --http 127.0.0.1:0 --set partitions=16 >"$work/log" 2>&1 &
server=$!

# What a field of the line "TaskMaster serves" says.
field() {
    sed -n "/TaskMaster serves/s/.*[^a-z]$1=\"\{0,1\}127\.0\.0\.1:\([0-9]*\).*/\1/p" "$work/log"
}
patience=240
until [ -n "$(field listen)" ]; do
    kill -0 "$server" 2>/dev/null && [ $((patience -= 1)) -gt 0 ] || { cp "$work/log" "$folder/tried$suffix"; exit 1; }
    sleep 0.5
done
at="127.0.0.1:$(field listen)"

# What the server does for its first clients.
TASKMASTER_AOT=off "$launcher" enqueue training data --pid 1 --server "$at"
TASKMASTER_AOT=off "$launcher" lease training --server "$at"
TASKMASTER_AOT_OUTPUT=$work/command.aot "$launcher" queues --server "$at"
kill -TERM "$server"
wait "$server" || true
server=

[ -f "$work/server.aot" ] && [ -f "$work/command.aot" ] || { cp "$work/log" "$folder/tried$suffix"; exit 1; }
# Caches of another Java or of other jars are of no use any more.
[ -z "$suffix" ] || rm -f "$folder"/server-*.aot "$folder"/command-*.aot
chmod 644 "$work/server.aot" "$work/command.aot"
mv "$work/server.aot" "$folder/server$suffix.aot"
mv "$work/command.aot" "$folder/command$suffix.aot"
