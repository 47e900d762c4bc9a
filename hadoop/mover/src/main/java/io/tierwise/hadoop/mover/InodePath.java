package io.tierwise.hadoop.mover;

/** The path by which the NameNode finds a file whatever name it has, and no other of its name. */
final class InodePath {
  private InodePath() {}

  static String of(long fileId) {
    return "/.reserved/.inodes/" + fileId;
  }
}
