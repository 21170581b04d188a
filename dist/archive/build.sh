#!/usr/bin/env bash
# Makes the release archives in target/: build.sh VERSION TIMESTAMP all|tree
#
#   taskmaster-VERSION-linux-x64.tar.gz   with its own Java and AOT caches (only on Linux, x64)
#   taskmaster-VERSION.tar.gz             for the Java of the machine, with RocksDB for every platform
#   taskmaster_VERSION_amd64.deb          the first one as a Debian package (if dpkg-deb is there)
#   SHA256SUMS
#   image                                 the tree of the first one
#
# "tree" makes that tree alone, without demos, manual pages, completion and AOT caches: what an image of a container needs.
#
# Maven runs it (-Parchives), after the modules that gather the jars and after the bill of materials. Files have one owner, one time and
# one order, so the same sources give the same archive, except for AOT caches, which the JVM writes differently each time.
set -euo pipefail
version=$1
timestamp=$2
made=$3

cd "$(dirname "$0")"
archive=$PWD
dist=${archive%/*}
project=${dist%/*}
out=$archive/target
bill=$out/bom.json

say() { echo "archives: $*" >&2; }
. "$dist/launcher/java.sh"
java_home=$(find_java)
[ -f "$bill" ] || { say "$bill: missing (expected: Maven makes the bill of materials, but not with -o)"; exit 1; }
[ -x "$java_home/bin/jlink" ] || { say "$java_home: has no jlink (expected: a JDK $min_java)"; exit 1; }

# What the jars of the server, of HBase's client and of the demos need according to jdeps, except java.desktop, which only unused classes
# need; and what is found by name: DNS, zip files, Kerberos, and jcmd for a look into a running server.
modules=java.base,java.compiler,java.logging,java.management,java.naming,java.net.http,java.rmi,java.security.jgss,java.security.sasl,\
java.sql,java.xml,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.management.agent,jdk.naming.dns,jdk.net,jdk.security.auth,\
jdk.security.jgss,jdk.unsupported,jdk.zipfs

# Copies the jars of a module that are not in the main folder: jars MODULE FOLDER
jars() {
  mkdir -p "$2"
  local jar
  for jar in "$dist/$1/target/lib"/*.jar; do
    [ "$1" = jars ] || [ ! -f "$dist/jars/target/lib/${jar##*/}" ] || continue
    cp "$jar" "$2/"
  done
}

# Everything but the Java: assemble TREE
assemble() {
  local tree=$1
  mkdir -p "$tree"/{bin,libexec,conf,systemd}
  install -m 755 "$dist/launcher/launcher.sh" "$tree/bin/taskmaster"
  install -m 755 "$dist/launcher/train.sh" "$dist/launcher/healthcheck.sh" "$tree/libexec/"
  install -m 644 "$dist/launcher/java.sh" "$dist/launcher/stores.sh" "$tree/libexec/"
  install -m 644 "$archive/server.properties" "$tree/conf/"
  install -m 644 "$project/docs/taskmaster.service" "$tree/systemd/"
  install -m 644 "$project"/{LICENSE,NOTICE,README.md,CHANGELOG.md} "$tree/"
  install -m 644 "$bill" "$tree/sbom.cdx.json"
  jars jars "$tree/lib"
  jars hbase-client "$tree/lib/hbase"
  [ "$made" = tree ] || jars demo "$tree/lib/demo"
  program Licences "$bill" "$tree/lib" "$tree/licenses"
}

program() {
  local name=$1
  shift
  "$java_home/bin/java" -cp "$out/classes:$(echo "$dist"/jars/target/lib/gson-*.jar)" "io.taskmaster.dist.$name" "$@"
}

# Manual pages and completion, by the commands themselves: document TREE
document() {
  local tree=$1 share=$1/share taskmaster
  taskmaster=(env TASKMASTER_AOT=off "$tree/bin/taskmaster")
  mkdir -p "$share"/{man/man1,bash-completion/completions,zsh/site-functions,fish/vendor_completions.d}
  "${taskmaster[@]}" man-pages "$share/man/man1"
  "${taskmaster[@]}" completion bash >"$share/bash-completion/completions/taskmaster"
  # As a function of zsh, which completes when it is first called, too.
  { echo '#compdef taskmaster'; "${taskmaster[@]}" completion zsh
    echo '_bash_complete -o default -F _complete_taskmaster'; } >"$share/zsh/site-functions/_taskmaster"
  "${taskmaster[@]}" completion fish >"$share/fish/vendor_completions.d/taskmaster.fish"
}

# The JVM checks the times of jars against its caches, so all files get theirs before those are made.
settle() {
  find "$1" -exec touch --no-dereference --date="$timestamp" {} +
  chmod -R u=rwX,go=rX "$1"
}

pack() {
  tar --create --directory "$out" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$timestamp" "$1" \
    | gzip --no-name >"$out/$2"
  say "$2: $(du -h "$out/$2" | cut -f 1)"
}

rm -rf "$out"/taskmaster-"$version"* "$out"/taskmaster_* "$out/image"
name=taskmaster-$version

say "assembling $name"
assemble "$out/$name"
if [ "$made" = all ]; then
  document "$out/$name"
  settle "$out/$name"
  pack "$name" "$name.tar.gz"
fi

if [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ]; then
  say "linking a Java of $("$java_home/bin/java" --version | head -n 1)"
  # Only the debug information of classes: native libraries have none, and to strip them would need binutils.
  "$java_home/bin/jlink" --add-modules "$modules" --strip-java-debug-attributes --no-header-files --no-man-pages \
    --compress zip-6 --generate-cds-archive --output "$out/$name/runtime" >"$out/jlink.log" 2>&1 \
    || { cat "$out/jlink.log" >&2; exit 1; }
  # Only heaps of 32 GB and more would use it.
  rm "$out/$name/runtime/lib/server/classes_nocoops.jsa"
  program SlimJar "$(echo "$out/$name"/lib/rocksdbjni-*.jar)" librocksdbjni-linux64.so
  settle "$out/$name"
  if [ "$made" = all ]; then
    say "creating the AOT caches"
    "$out/$name/libexec/train.sh" "$out/$name/bin/taskmaster" "$out/$name/lib/aot" "" >/dev/null 2>&1 \
      || { cat "$out/$name/lib/aot"/tried* >&2; exit 1; }
    rm "$out/$name/lib/aot"/tried*
    settle "$out/$name"
    pack "$name" "$name-linux-x64.tar.gz"
    if command -v dpkg-deb >/dev/null; then
      "$archive/deb/build.sh" "$out/$name" "$version" "$timestamp" "$out"
    fi
  fi
  mv "$out/$name" "$out/image"
else
  rm -rf "${out:?}/$name"
fi
shopt -s nullglob
[ "$made" = tree ] || (cd "$out" && sha256sum taskmaster-"$version"*.tar.gz taskmaster_*.deb >SHA256SUMS)
