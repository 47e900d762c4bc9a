#!/bin/sh
# For TestDatanodeManager: IP-1-3 stands in /rack-1, IP-4 in /rack-4.
for host in "$@"; do
  echo "$host" | cut -d - -f 2 | sed 's|^|/rack-|'
done
