#!/bin/sh
# Creates the AOT cache with which the tests start servers: train-tests.sh FOLDER [skip=BOOLEAN]...
#
# A server on the class path in FOLDER/resolved starts, gets a task, and ends, while the JVM records what it loads. The result is
# FOLDER/server.aot, with its class path in FOLDER/class-path and its Java in FOLDER/java. A cache that is newer than the jars is kept.
# Without one, tests take longer and are the same: a training that fails is no error. With skip=true it does nothing.
set -eu

. "$(dirname "$0")/../launcher/java.sh"
folder=$1
shift
for skip; do [ "$skip" != skip=true ] || exit 0; done

java_home=$(find_java)

is_current() {
    [ -f "$folder/server.aot" ] && cmp -s "$folder/resolved" "$folder/class-path" || return 1
    [ "$java_home" = "$(cat "$folder/java" 2>/dev/null)" ] || return 1
    tr : '\n' <"$folder/class-path" | while IFS= read -r jar; do
        [ "$folder/server.aot" -nt "$jar" ] || exit 1
    done
}
! is_current || exit 0

work=$folder/training
rm -rf "$folder/server.aot" "$folder/class-path" "$folder/java" "$work"
mkdir -p "$work"
server=
finish() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 143' INT TERM
unset JDK_JAVA_OPTIONS JAVA_TOOL_OPTIONS TASKMASTER_SERVER TASKMASTER_GROUP TASKMASTER_CA TASKMASTER_TOKEN_FILE TASKMASTER_PROFILE
export XDG_CONFIG_HOME="$work"

program() {
    exec "$java_home/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED \
        --sun-misc-unsafe-memory-access=allow "$@"
}
port() {
    sed -n '/TaskMaster serves/s/.*[^a-z]listen="127\.0\.0\.1:\([0-9]*\).*/\1/p' "$work/log"
}
give_up() {
    tail -n 5 "$work/log" >&2
    exit 0
}

class_path=$(cat "$folder/resolved")
program "-XX:AOTCacheOutput=$work/server.aot" -cp "$class_path" io.taskmaster.cli.Main server --store rocksdb \
    --data "$work/data" --listen 127.0.0.1:0 --http 127.0.0.1:0 --set partitions=16 >"$work/log" 2>&1 &
server=$!
patience=240
until [ -n "$(port)" ]; do
    kill -0 "$server" 2>/dev/null && [ $((patience -= 1)) -gt 0 ] || give_up
    sleep 0.5
done
(program -cp "$class_path" io.taskmaster.cli.Main enqueue training data --server "127.0.0.1:$(port)") >>"$work/log" 2>&1 || true
kill -TERM "$server"
wait "$server" || true
server=
[ -f "$work/server.aot" ] || give_up
cp "$folder/resolved" "$folder/class-path"
printf '%s' "$java_home" >"$folder/java"
mv "$work/server.aot" "$folder/server.aot"
