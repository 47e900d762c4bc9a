package io.tierwise.hadoop.inspect.audit;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;

/**
 * A line of a DataNode's log, parsed in place for what its client trace says of a read.
 *
 * <pre>
 * 2026-03-24 16:59:01,123 DEBUG DataNode.clienttrace: src: /10.0.0.7:9866, dest: /10.0.0.9:40312,
 *   volume: /data/1, bytes: 1032, op: HDFS_READ, cliID: DFSClient_..., offset: 0, srvID: UUID,
 *   blockid: BP-7-10.0.0.1-1700000000000:blk_1073741825_1001, duration(ns): 1200300
 * 2026-03-24 16:59:02,345 INFO DataNode.clienttrace: src: 127.0.0.1, dest: 127.0.0.1,
 *   op: REQUEST_SHORT_CIRCUIT_FDS, blockid: 1073741825, srvID: UUID, success: true
 * </pre>
 *
 * <p>A client gives itself the name that stands as {@code cliID}, and nothing in it is escaped.
 * Hence fields before it are looked for from the line's begin, and those behind it from its end.
 * Releases before 3.5 have no {@code volume}.
 */
final class TraceLine {
  /** The kinds of lines. */
  enum Verdict {
    /** Bytes were sent to a reader. */
    READ,
    /** A reader on the node got the file of a block, and reads it by itself. */
    SHORT_CIRCUIT,
    /** Something else that a DataNode logs, without a time of its own. */
    UNDATED,
    /** Something else that a DataNode logs. */
    OTHER,
    /** Begins as a trace of a read and does not end as one. */
    CUT,
    /** A trace with something else where a number or a block should be. */
    DAMAGED
  }

  private static final byte[] SRC = ascii("src: ");
  private static final byte[] DEST = ascii(", dest: ");
  private static final byte[] NAME = ascii("cliID: ");
  private static final byte[] BYTES = ascii(", bytes: ");
  private static final byte[] OP = ascii(", op: ");
  private static final byte[] READ = ascii("HDFS_READ, cliID: ");
  private static final byte[] SHORT_CIRCUIT = ascii("REQUEST_SHORT_CIRCUIT_FDS, blockid: ");
  private static final byte[] NODE = ascii(", srvID: ");
  private static final byte[] BLOCK = ascii(", blockid: ");
  private static final byte[] BLOCK_NAME = ascii(":blk_");
  private static final byte[] DURATION = ascii(", duration(ns): ");
  private static final byte[] GIVEN = ascii(", success: true");

  /** Own: no pattern puts more before the message. */
  private static final int HEAD_BYTES_MAX = 512;

  /** Numbers with more do not fit into a long. */
  private static final int DIGITS_MAX = 18;

  private static final int DIGITS_MAX_OF_ID = 19;

  private static final long NONE = -1;

  private final AuditTime time;
  private byte[] line;
  private int end;
  private long timeMillis;
  private long sentBytes;
  private long blockId;
  private String pool = "";
  private String node = "";

  TraceLine(ZoneId zone) {
    time = new AuditTime(zone);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  long timeMillis() {
    return timeMillis;
  }

  /** Bytes of a {@link Verdict#READ}, with checksums. */
  long sentBytes() {
    return sentBytes;
  }

  long blockId() {
    return blockId;
  }

  /** The block pool of a {@link Verdict#READ}. */
  String pool() {
    return pool;
  }

  /** The DataNode's id. */
  String node() {
    return node;
  }

  /** Parses the bytes of a line, without its newline. */
  Verdict parse(byte[] bytes, int from, int to) {
    line = bytes;
    end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    timeMillis = time.parse(bytes, from, end);
    if (timeMillis == AuditTime.NONE) {
      return Verdict.UNDATED;
    }
    int head = Math.min(end, from + HEAD_BYTES_MAX);
    int message = indexOf(SRC, from + AuditTime.LENGTH, head);
    int named = indexOf(NAME, from + AuditTime.LENGTH, head);
    if (message < 0 || (named >= 0 && named < message)) {
      return Verdict.OTHER;
    }
    int destination = indexOf(DEST, message, end);
    if (destination < 0) {
      return Verdict.OTHER;
    }
    int op = indexOf(OP, destination, end);
    if (op < 0) {
      return Verdict.CUT;
    }
    int what = op + OP.length;
    if (at(what, READ)) {
      return read(destination, op, what + READ.length);
    }
    if (at(what, SHORT_CIRCUIT)) {
      return shortCircuit(what + SHORT_CIRCUIT.length);
    }
    return isBeginOf(what) ? Verdict.CUT : Verdict.OTHER;
  }

  /** Whether the line ends within the name of an operation that is meant. */
  private boolean isBeginOf(int what) {
    int length = end - what;
    return (length < READ.length && Arrays.equals(line, what, end, READ, 0, length))
        || (length < SHORT_CIRCUIT.length
            && Arrays.equals(line, what, end, SHORT_CIRCUIT, 0, length));
  }

  private Verdict read(int destination, int op, int name) {
    int duration = lastIndexOf(DURATION, name, end);
    if (duration < 0 || duration + DURATION.length == end) {
      return Verdict.CUT;
    }
    int block = lastIndexOf(BLOCK, name, duration);
    int server = block < 0 ? -1 : lastIndexOf(NODE, name, block);
    int digits = op;
    while (digits > destination && isDigit(line[digits - 1])) {
      digits--;
    }
    sentBytes = digits == op ? NONE : number(digits, op);
    boolean sound =
        server >= 0
            && sentBytes >= 0
            && endsWith(BYTES, destination, digits)
            && number(duration + DURATION.length, end) >= 0
            && block(block + BLOCK.length, duration);
    if (!sound) {
      return Verdict.DAMAGED;
    }
    node = text(node, server + NODE.length, block);
    return Verdict.READ;
  }

  private Verdict shortCircuit(int block) {
    int server = indexOf(NODE, block, end);
    if (server < 0) {
      return Verdict.CUT;
    }
    if (!endsWith(GIVEN, server, end)) {
      return Verdict.OTHER;
    }
    if (!id(block, server)) {
      return Verdict.DAMAGED;
    }
    node = text(node, server + NODE.length, end - GIVEN.length);
    return Verdict.SHORT_CIRCUIT;
  }

  /** A block as {@code BP-7-10.0.0.1-1700000000000:blk_1073741825_1001}. */
  private boolean block(int from, int to) {
    int name = indexOf(BLOCK_NAME, from, to);
    if (name <= from) {
      return false;
    }
    int stamp = ByteScan.indexOf(line, name + BLOCK_NAME.length, to, (byte) '_');
    if (stamp < 0 || number(stamp + 1, to) < 0 || !id(name + BLOCK_NAME.length, stamp)) {
      return false;
    }
    pool = text(pool, from, name);
    return true;
  }

  /** Takes the id of a block: those of erasure-coded ones are below 0. */
  private boolean id(int from, int to) {
    int first = from < to && line[from] == '-' ? from + 1 : from;
    if (to - first < 1 || to - first > DIGITS_MAX_OF_ID) {
      return false;
    }
    for (int i = first; i < to; i++) {
      if (!isDigit(line[i])) {
        return false;
      }
    }
    try {
      blockId = Long.parseLong(new String(line, from, to - from, StandardCharsets.US_ASCII));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private long number(int from, int to) {
    if (from >= to || to - from > DIGITS_MAX) {
      return NONE;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      if (!isDigit(line[i])) {
        return NONE;
      }
      number = 10 * number + line[i] - '0';
    }
    return number;
  }

  private static boolean isDigit(byte each) {
    return each >= '0' && each <= '9';
  }

  /** The text there; the one before where that is the same, so that few are made. */
  private String text(String before, int from, int to) {
    int length = to - from;
    boolean same = before.length() == length;
    for (int i = 0; same && i < length; i++) {
      same = before.charAt(i) == (char) (line[from + i] & 0xff);
    }
    return same ? before : new String(line, from, length, StandardCharsets.ISO_8859_1);
  }

  private boolean at(int from, byte[] phrase) {
    int to = from + phrase.length;
    return to <= end && Arrays.equals(line, from, to, phrase, 0, phrase.length);
  }

  private boolean endsWith(byte[] phrase, int from, int to) {
    return to - phrase.length >= from && at(to - phrase.length, phrase);
  }

  private int indexOf(byte[] phrase, int from, int to) {
    int found = ByteScan.indexOf(line, from, to, phrase[0]);
    while (found >= 0 && (found + phrase.length > to || !at(found, phrase))) {
      found = ByteScan.indexOf(line, found + 1, to, phrase[0]);
    }
    return found;
  }

  private int lastIndexOf(byte[] phrase, int from, int to) {
    for (int i = to - phrase.length; i >= from; i--) {
      if (line[i] == phrase[0] && at(i, phrase)) {
        return i;
      }
    }
    return -1;
  }
}
