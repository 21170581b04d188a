#!/usr/bin/env bash
# Makes the Debian package of an archive's tree: build.sh TREE VERSION TIMESTAMP OUTPUT
set -euo pipefail
tree=$1
version=$2
timestamp=$3
output=$4
here=$(cd "$(dirname "$0")" && pwd -P)
# A snapshot sorts before its release.
deb_version=${version/-SNAPSHOT/~snapshot}
root=$output/deb
rm -rf "$root"
mkdir -p "$root"/{DEBIAN,etc/taskmaster,usr/bin,usr/lib/taskmaster,usr/lib/systemd/system,usr/share/doc/taskmaster}

# Times of jars stay, for the AOT caches.
cp -a "$tree"/{bin,lib,libexec,runtime,licenses,sbom.cdx.json} "$root/usr/lib/taskmaster/"
cp -a "$tree/share"/* "$root/usr/share/"
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_taskmaster" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
gzip -9 --no-name "$root"/usr/share/man/man1/*.1
ln -s ../lib/taskmaster/bin/taskmaster "$root/usr/bin/taskmaster"
cp -a "$tree/conf/server.properties" "$root/etc/taskmaster/"
# The package has a user of its own, to which an administrator can give keys and tokens.
sed -e 's|/opt/taskmaster/bin/taskmaster|/usr/bin/taskmaster|' -e '/^# If there is no user of this name/d' -e '/^DynamicUser=/d' \
  -e '1,2c # A TaskMaster server under systemd. "systemctl edit taskmaster" changes it.' \
  "$tree/systemd/taskmaster.service" >"$root/usr/lib/systemd/system/taskmaster.service"
gzip -9 --no-name --stdout "$tree/CHANGELOG.md" >"$root/usr/share/doc/taskmaster/changelog.gz"
{ cat "$tree/NOTICE"
  printf '\nThe licences of the libraries are in /usr/lib/taskmaster/licenses.\nThe Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$root/usr/share/doc/taskmaster/copyright"

cat >"$root/DEBIAN/control" <<CONTROL
Package: taskmaster
Version: $deb_version
Architecture: amd64
Maintainer: The TaskMaster maintainers <maintainers@taskmaster.io>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f 1)
Depends: libc6 (>= 2.17), zlib1g, libgcc-s1, libstdc++6, adduser, init-system-helpers
Section: net
Priority: optional
Homepage: https://taskmaster.io
Description: reliable priority task queue
 Any byte string is a priority, workers lease tasks, and one atomic update
 dequeues a finished task and enqueues the next step. This package has the
 server, its service, and the command line, with a Java of their own.
CONTROL
echo /etc/taskmaster/server.properties >"$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do
  install -m 755 "$here/$script" "$root/DEBIAN/$script"
done
(cd "$root" && find etc usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod -R u=rwX,go=rX "$root"
find "$root" -exec touch --no-dereference --date="$timestamp" {} +
SOURCE_DATE_EPOCH=$(date --date="$timestamp" +%s) \
  dpkg-deb --root-owner-group -Zgzip --build "$root" "$output/taskmaster_${deb_version}_amd64.deb" >/dev/null
rm -rf "$root"
echo "archives: taskmaster_${deb_version}_amd64.deb: $(du -h "$output/taskmaster_${deb_version}_amd64.deb" | cut -f 1)" >&2
