package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import java.io.IOException;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** The files below a path, by number of replicas. */
final class Survey {
  private final SortedMap<Integer, Amount> byReplication = new TreeMap<>();
  private long leftOut;

  private Survey() {}

  /**
   * So many files.
   *
   * @param bytes of one replica of each
   * @param example one of their paths
   */
  record Amount(long files, long bytes, String example) {}

  /**
   * @throws OperatorException when there is something that this user may not read
   */
  static Survey of(MoverCluster cluster, String path) throws IOException {
    Survey survey = new Survey();
    FilesBelow walked = FilesBelow.walk(cluster, path, survey::add);
    if (walked.unreadable() > 0) {
      throw OperatorException.cluster(
          Words.count(walked.unreadable(), "path")
              + " below "
              + path
              + " may not be read by this user: nothing was changed",
          null);
    }
    survey.leftOut = walked.leftOut();
    return survey;
  }

  private void add(String path, HdfsFileStatus status) {
    byReplication.merge(
        (int) status.getReplication(),
        new Amount(1, status.getLen(), path),
        (old, one) -> new Amount(old.files() + 1, old.bytes() + one.bytes(), path));
  }

  SortedMap<Integer, Amount> byReplication() {
    return byReplication;
  }

  /** Files that HDFS places by rules of its own. */
  long leftOut() {
    return leftOut;
  }

  long files() {
    return byReplication.values().stream().mapToLong(Amount::files).sum();
  }

  /**
   * Refuses files with other numbers of replicas: they would gain or lose replicas that the verb is
   * not about.
   */
  void requireBetween(int least, int most) {
    byReplication.forEach(
        (replicas, amount) -> {
          if (replicas < least || replicas > most) {
            throw OperatorException.badInput(
                amount.example()
                    + " has "
                    + Words.count(replicas, "replica")
                    + " where the layout names another number: 'tierwise file layout' gives all"
                    + " files as many as a layout names");
          }
        });
  }
}
