# Sourced. Finds a Java: find_java prints the folder of the first that is at least $min_java, or nothing.

min_java=25

# The major version of the Java in a folder; nothing if there is none. Reading the release file saves the start of a JVM.
version_of() {
    [ -x "$1/bin/java" ] || return 0
    if [ -r "$1/release" ]; then
        sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
    else
        "$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1
    fi
}

fits() {
    [ -n "$1" ] || return 1
    v=$(version_of "$1")
    [ -n "$v" ] && [ "$v" -ge "$min_java" ]
}

# The folder of the java on the PATH.
java_on_path() {
    j=$(command -v java 2>/dev/null) || return 0
    while [ -h "$j" ]; do
        t=$(readlink "$j")
        case $t in
            /*) j=$t ;;
            *) j=$(dirname "$j")/$t ;;
        esac
    done
    dirname "$(dirname "$j")"
}

find_java() {
    if fits "${JAVA_HOME:-}"; then
        echo "$JAVA_HOME"
        return
    fi
    on_path=$(java_on_path)
    if fits "$on_path"; then
        echo "$on_path"
        return
    fi
    for candidate in \
        /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /usr/local/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        "${SDKMAN_DIR:-${HOME:-/nonexistent}/.sdkman}"/candidates/java/* \
        "${HOME:-/nonexistent}"/.jdks/* "${HOME:-/nonexistent}"/.asdf/installs/java/* \
        "${HOME:-/nonexistent}"/.local/share/mise/installs/java/*; do
        if fits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
}

# Prints what is missing, where find_java has found nothing.
say_no_java() {
    echo "taskmaster: Java $min_java or later was not found (searched: JAVA_HOME, the PATH and the usual folders). \
Install one, e.g. from https://adoptium.net, or set JAVA_HOME." >&2
}
