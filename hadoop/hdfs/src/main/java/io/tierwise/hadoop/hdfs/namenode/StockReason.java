package io.tierwise.hadoop.hdfs.namenode;

import io.tierwise.hadoop.hdfs.DecisionTimes;

/** Why stock HDFS decided for a path that is under a policy. */
enum StockReason {
  /** Our own error. */
  ERROR("error"),
  /** Our decision had fewer targets than wanted; stock HDFS looked for the rest. */
  INCOMPLETE("incomplete"),
  /** The attribute or rule says nothing that can be understood. */
  BAD_SPECIFICATION("bad_specification"),
  /** The file's owner may not use a tier that the policy names. */
  LIMITED("limited"),
  /** A limit by group may hold for the file's owner, whose groups are not known. */
  GROUPS_UNKNOWN("groups_unknown"),
  /** The thread holds a lock under which the namespace may not be read. */
  LOCK_ORDER("lock_order"),
  /** The policy's decisions take too long, see {@link DecisionTimes}. */
  SLOW("slow"),
  /** A file that HDFS keeps in memory and writes to disk later, or provided storage. */
  SPECIAL_STORAGE("special_storage"),
  /** No file is found at the path: gone since a copy was planned, or only in a snapshot. */
  FILE_UNKNOWN("file_unknown");

  private final String label;

  StockReason(String label) {
    this.label = label;
  }

  /** The word that counters and messages use. */
  String label() {
    return label;
  }
}
