#!/bin/sh
# TaskMaster's launcher: chooses the Java, the jars and the JVM flags of a command, and runs it. It builds nothing.
# In an archive it is bin/taskmaster; in a checkout the script "taskmaster" runs it after the build.
#
#   JAVA_HOME        the Java to use, if it is 25 or later; an archive with its own Java uses that one
#   TASKMASTER_OPTS  additional JVM flags, e.g. -Xmx2g
#   TASKMASTER_AOT   off: neither uses nor creates AOT caches
set -eu

# The folder of this script, through any symbolic links.
self=$0
while [ -h "$self" ]; do
    target=$(readlink "$self")
    case $target in
        /*) self=$target ;;
        *) self=$(dirname "$self")/$target ;;
    esac
done
here=$(cd "$(dirname "$self")" && pwd -P)
self=$here/${self##*/}

home=${here%/*}
if [ -d "$home/lib" ]; then
    libexec=$home/libexec
    lib=$home/lib
    hbase_client=$lib/hbase bigtable_client=$lib/bigtable demo=$lib/demo tools=$lib/tools hbase=$lib/hbase-server
    caches=$lib/aot
else
    home=$(cd "$here/../.." && pwd -P)
    libexec=$here
    lib=$home/dist/jars/target/lib
    hbase_client=$home/dist/hbase-client/target/lib bigtable_client=$home/dist/bigtable/target/lib
    demo=$home/dist/demo/target/lib tools=$home/dist/tools/target/lib hbase=$home/dist/hbase/target/lib
    caches=$home/dist/jars/target/aot
fi
[ -d "$lib" ] || { echo "taskmaster: nothing is built in $lib (unset TASKMASTER_NO_BUILD to build it)." >&2; exit 1; }

if [ -x "$home/runtime/bin/java" ]; then
    java_home=$home/runtime
else
    . "$libexec/java.sh"
    java_home=$(find_java)
    [ -n "$java_home" ] || { say_no_java; exit 1; }
fi

# The jars of a folder, each after a colon, without those of the main folder. The order depends only on the names, because an AOT
# cache is valid for one class path.
jars_of() (
    LC_ALL=C
    for jar in "$1"/*.jar; do
        [ -f "$jar" ] || continue
        [ "$1" = "$lib" ] || [ ! -f "$lib/${jar##*/}" ] || continue
        printf ':%s' "$jar"
    done
)

. "$libexec/stores.sh"

# Only what the command needs is on the class path.
class_path=$(jars_of "$lib")
kind=command
# What only prints something does not start a training in the background.
trains=yes
case "${1:-} $* " in
    ' '* | -* | help* | completion* | man-pages* | token* | *' --help '* | *' -h '* | *' --version '*) trains= ;;
esac
case ${1:-} in
    server)
        kind=server
        # A server that is out of memory ends by itself, with a status of its own.
        flags=-XX:+UseG1GC
        if names_store bigtable "$@"; then
            class_path=$class_path$(jars_of "$hbase_client")$(jars_of "$bigtable_client")
        elif names_store hbase "$@"; then
            class_path=$class_path$(jars_of "$hbase_client")
        fi
        ;;
    demo)
        kind=other
        flags='-XX:+UseG1GC -XX:+ExitOnOutOfMemoryError'
        class_path=$class_path$(jars_of "$demo")
        if names_store hbase "$@"; then class_path=$class_path$(jars_of "$hbase_client"); fi
        ;;
    bench | chaos)
        kind=other
        flags='-XX:+UseG1GC -XX:+ExitOnOutOfMemoryError'
        class_path=$class_path$(jars_of "$hbase_client")$(jars_of "$tools")
        if names_store bigtable "$@"; then class_path=$class_path$(jars_of "$bigtable_client"); fi
        ;;
    *)
        # These commands end soon: the smallest collector and compiler start fastest.
        flags='-XX:+UseSerialGC -XX:TieredStopAtLevel=1'
        case ${1:-} in
            hbase) class_path=$class_path$(jars_of "$hbase_client")$(jars_of "$tools") ;;
            # These list all commands.
            '' | -* | help | completion | man-pages) class_path=$class_path$(jars_of "$demo")$(jars_of "$tools") ;;
        esac
        ;;
esac
class_path=${class_path#:}

# A cache of this archive's own Java, or one that was created here for the Java at hand and these jars.
aot=
if [ -n "${TASKMASTER_AOT_OUTPUT:-}" ]; then
    aot="-XX:AOTCacheOutput=$TASKMASTER_AOT_OUTPUT"
elif [ "${TASKMASTER_AOT:-}" != off ] && [ "$kind" != other ]; then
    if [ -f "$caches/$kind.aot" ]; then
        aot="-XX:AOTCache=$caches/$kind.aot"
    else
        key=$({ cat "$java_home/release"; LC_ALL=C ls -ln "$lib"/*.jar; } 2>/dev/null | cksum)
        key=${key%% *}
        if [ ! -w "${caches%/*}" ]; then
            # A folder for each installation: a training removes the caches of earlier jars.
            installation=$(printf '%s' "$lib" | cksum)
            caches=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/taskmaster/${installation%% *}
        fi
        if [ -f "$caches/$kind-$key.aot" ]; then
            aot="-XX:AOTCache=$caches/$kind-$key.aot"
        elif [ "$kind" = command ] && [ -n "$trains" ] && [ ! -e "$caches/tried-$key" ]; then
            # In the background, at the lowest priority: this command does not wait for it.
            (nice -n 19 sh "$libexec/train.sh" "$self" "$caches" "-$key" </dev/null >/dev/null 2>&1 &)
        fi
    fi
fi
[ ! -t 2 ] || flags="$flags -Dtaskmaster.terminal=true"

# A cache that does not fit is ignored without a word. Its path may have spaces, flags are words.
# shellcheck disable=SC2086
exec "$java_home/bin/java" \
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Dfile.encoding=UTF-8 -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 \
    "-Dtaskmaster.hbase.lib=$hbase" \
    ${aot:+"$aot"} ${aot:+"-Xlog:aot*=off"} ${aot:+"-Xlog:cds*=off"} $flags ${TASKMASTER_OPTS:-} \
    -cp "$class_path" io.taskmaster.cli.Main "$@"
