#!/usr/bin/env bash
# Packs what `make dist` has built: scripts/dist.sh [FOLDER], build/dist by default.
#   FOLDER/tierwise-VERSION.tar.gz         bin, lib, plugin, contracts (suites for the policies of others), conf, docs, examples, reproductions, packaging,
#                                          the list of parts (SBOM), checksums of all files
#   FOLDER/tierwise-VERSION.tar.gz.sha256  for sha256sum -c
# The same inputs give the same bytes: names are sorted, times and owners fixed.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "${BASH_SOURCE[0]}")/../build/dist}")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The first <version> of the parent's pom is the project's own.
version=$(sed -n 's|^  <version>\(.*\)</version>|\1|p' pom.xml | head -n 1)
time=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' pom.xml)
name=tierwise-$version
plugin=hadoop/hdfs/target/tierwise-hdfs-$version-plugin.jar
node_manager=hadoop/yarn/target/tierwise-yarn-$version.jar
contracts=policies/target/tierwise-policies-$version-tests.jar
for needed in "$contracts" "cli/target/tierwise-cli-$version.jar" cli/target/lib "$plugin" "$node_manager" cli/target/sbom.json cli/target/third-party.txt; do
  [[ -e $needed ]] || { echo "dist: $needed is missing: run make dist" >&2; exit 3; }
done

mkdir -p "$folder"
stage=$(mktemp -d "$folder/.stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT
root=$stage/$name
mkdir -p "$root"/{bin,lib,plugin,contracts,conf,scripts}

cp bin/tierwise "$root/bin/"
cp -r scripts/log "$root/scripts/"
cp "cli/target/tierwise-cli-$version.jar" cli/target/lib/*.jar "$root/lib/"
cp "$plugin" "$node_manager" "$root/plugin/"
cp "$contracts" "$root/contracts/"
cp -r docs/examples/* "$root/conf/"
cp -r docs examples reproductions "$root/"
cp -r packaging "$root/"
rm -r "$root/packaging/tarball"
cp LICENSE CHANGELOG.md packaging/tarball/README.md "$root/"
cp cli/target/sbom.json "$root/sbom.cdx.json"
{
  cat NOTICE
  echo
  echo "The folder lib holds these jars of others, each under its own licence; licence texts and notices are inside the jars."
  sed -n '/dependencies\.$/,$p' cli/target/third-party.txt | tail -n +2 | LC_ALL=C sort
} >"$root/NOTICE"
(cd "$root" && find . -type f ! -name SHA256SUMS -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum >SHA256SUMS)

# Permissions as everybody's: a builder's umask is not part of the product.
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -exec chmod 644 {} +
chmod 755 "$root/bin/tierwise" "$root/packaging/spark/bin/java"
tar --create --directory "$stage" --sort=name --format=gnu --mtime="$time" --owner=0 --group=0 --numeric-owner "$name" |
  gzip -n -6 >"$stage/$name.tar.gz"
mv "$stage/$name.tar.gz" "$folder/"
(cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "dist: $folder/$name.tar.gz ($(stat -c %s "$folder/$name.tar.gz") bytes)"
