package io.tierwise.hadoop.hdfs.datanode;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A read that a client asked for over the network.
 *
 * <p>Hadoop opens a replica the same way for clients, for re-replication, for the balancer and the
 * mover, for checksums and for the scanner, and tells the dataset nothing of who asks. It does name
 * the thread that serves a client: {@code DataXceiver for client DFSClient_... at /address [Sending
 * block ...]}. Only a thread of exactly that name serves a client read; anything else is let
 * through uncounted, among it the reads of erasure-coding reconstruction (no client name) and of
 * clients that are not Hadoop's.
 *
 * @param client the client's name, unique for each client object
 */
record ClientRead(String client) {
  private static final Pattern SERVING =
      Pattern.compile(
          "DataXceiver for client (DFSClient_\\S+) at /?\\S+ \\[Sending block (\\S+)\\]");

  /**
   * The client read that a thread of that name serves, or null when it serves none.
   *
   * @param block the replica that is opened, as Hadoop prints it
   */
  static ClientRead servedBy(String threadName, String block) {
    if (!threadName.startsWith("DataXceiver for client DFSClient_")) {
      return null;
    }
    Matcher matcher = SERVING.matcher(threadName);
    return matcher.matches() && sameBlock(matcher.group(2), block)
        ? new ClientRead(matcher.group(1))
        : null;
  }

  /** The generation stamp behind the last underscore can be raised while the read is set up. */
  private static boolean sameBlock(String asked, String opened) {
    return withoutStamp(asked).equals(withoutStamp(opened));
  }

  private static String withoutStamp(String block) {
    int stamp = block.lastIndexOf('_');
    return stamp < 0 ? block : block.substring(0, stamp);
  }
}
