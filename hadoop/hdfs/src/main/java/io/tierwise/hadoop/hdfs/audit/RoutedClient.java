package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.core.data.ByteHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.ipc.CallerContext;

/**
 * The client behind a Router of a federation. A NameNode sees the Router's address; the Router
 * tells the client's in the caller context of the call that it passes on, among other fields:
 * {@code clientIp:10.0.0.7,clientPort:40112,...}.
 */
public final class RoutedClient {
  private static final byte[] FIELD =
      (CallerContext.CLIENT_IP_STR + ":").getBytes(StandardCharsets.US_ASCII);

  /** Own: an address of IPv6 with its scope is shorter. */
  private static final int ADDRESS_BYTES_MAX = 64;

  private RoutedClient() {}

  /**
   * A hash of the client's address; 0 when the context tells none.
   *
   * @param context may be null
   */
  static int hash(String context) {
    if (context == null || !context.contains(CallerContext.CLIENT_IP_STR)) {
      return 0;
    }
    byte[] bytes = context.getBytes(StandardCharsets.UTF_8);
    return hash(bytes, 0, bytes.length);
  }

  /** The same for a context inside a line. */
  public static int hash(byte[] line, int from, int to) {
    int field = from;
    while (field < to && !isAddress(line, field, to)) {
      // Any separator may be configured; no separator is a letter or a digit.
      do {
        field++;
      } while (field < to && Character.isLetterOrDigit(line[field - 1]));
    }
    if (field >= to) {
      return 0;
    }
    int start = field + FIELD.length;
    int end = start;
    while (end < to && end - start < ADDRESS_BYTES_MAX && isOfAddress(line[end])) {
      end++;
    }
    // A log puts a colon and the context's signature behind it.
    while (end > start && line[end - 1] == ':') {
      end--;
    }
    return end == start ? 0 : (int) ByteHash.hash(line, start, end, 0);
  }

  private static boolean isAddress(byte[] line, int at, int to) {
    int end = at + FIELD.length;
    return end <= to && Arrays.equals(line, at, end, FIELD, 0, FIELD.length);
  }

  private static boolean isOfAddress(byte letter) {
    return Character.digit(letter, 16) >= 0 || letter == '.' || letter == ':';
  }
}
