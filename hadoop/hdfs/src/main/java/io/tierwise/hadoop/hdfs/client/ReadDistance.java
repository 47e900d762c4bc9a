package io.tierwise.hadoop.hdfs.client;

import io.tierwise.hadoop.hdfs.topology.NetworkDistance;

/** How far a replica stood from its reader. */
public enum ReadDistance {
  LOCAL,
  RACK,
  REMOTE;

  static ReadDistance of(int hops) {
    if (hops <= NetworkDistance.LOCAL) {
      return LOCAL;
    }
    return hops <= NetworkDistance.SAME_RACK ? RACK : REMOTE;
  }
}
