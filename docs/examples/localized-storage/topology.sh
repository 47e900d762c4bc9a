#!/bin/sh
# Prints the sub-rack of each host that is named, by address or by name, from the table beside this script.
# HDFS refuses DataNodes at different depths, so that an unknown host has a location of two parts as well.
table=$(dirname "$0")/topology.table
for host in "$@"; do
  awk -v host="$host" '$1 == host || $2 == host { print $3; found = 1; exit }
    END { if (!found) print "/unknown/unknown" }' "$table"
done
