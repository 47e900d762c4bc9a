package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.data.ByteHash;
import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.PathBytes;
import io.tierwise.hadoop.hdfs.audit.AuditCommands;
import io.tierwise.hadoop.hdfs.audit.RoutedClient;
import java.time.ZoneId;

/**
 * A line of HDFS's audit log, parsed in place.
 *
 * <pre>
 * 2026-03-24 16:59:01,123 INFO FSNamesystem.audit: allowed=true\tugi=ann (auth:SIMPLE)\tip=/10.0.0.7
 *   \tcmd=open\tsrc=/a/b\tdst=null\tperm=null\tproto=rpc\tcallerContext=...
 * </pre>
 *
 * <p>Fields up to {@code dst} come in this order in all releases. Of later ones only the caller
 * context is looked at, the last of all, for the client behind a Router: old releases lack {@code
 * proto}, a Router has {@code invokeType}. Between time and {@code allowed} anything may stand,
 * since that is the log4j pattern's.
 *
 * <p>Releases before Hadoop 3 write a path as it is. One with a tab is still found, because {@code
 * src} ends at the next {@code dst=}; one with a newline makes a {@link Verdict#CUT} line.
 */
final class AuditLine {
  /** The kinds of lines. */
  enum Verdict {
    /** An access. */
    ACCESS,
    /** An attempt that was refused: nothing was read of HDFS. */
    REFUSED,
    /** Begins as a line of the log and ends before its path does. */
    CUT,
    /** No line of the log. */
    FOREIGN
  }

  private static final ByteScan.Word ALLOWED = ByteScan.Word.of("allowed=");
  private static final ByteScan.Word TRUE = ByteScan.Word.of("true");
  private static final ByteScan.Word FALSE = ByteScan.Word.of("false");
  private static final ByteScan.Word UGI = ByteScan.Word.of("ugi=");
  private static final ByteScan.Word IP = ByteScan.Word.of("ip=");
  private static final ByteScan.Word CMD = ByteScan.Word.of("cmd=");
  private static final ByteScan.Word SRC = ByteScan.Word.of("src=");
  private static final ByteScan.Word DST = ByteScan.Word.of("dst=");
  private static final ByteScan.Word DST_FIELD = ByteScan.Word.of("\tdst=");
  private static final ByteScan.Word PERM = ByteScan.Word.of("perm=");
  private static final ByteScan.Word PERM_FIELD = ByteScan.Word.of("\tperm=");
  private static final ByteScan.Word INVOKE_TYPE = ByteScan.Word.of("invokeTy");
  private static final ByteScan.Word CONTEXT_FIELD = ByteScan.Word.of("\tcallerC");
  private static final ByteScan.Word CONTEXT_REST = ByteScan.Word.of("ontext=");

  /** Own: no pattern puts more before the message. */
  private static final int HEAD_BYTES_MAX = 512;

  private final AuditTime time;
  private final PathBytes path = new PathBytes();
  private final PathBytes destination = new PathBytes();
  private final PathBytes none = new PathBytes();
  private boolean renames;

  /** Where the message began in the line before, counted from the line's begin. */
  private int messageGuess;

  private byte[] line;
  private int end;
  private long timeMillis;
  private AccessKind kind = AccessKind.OTHER;
  private long reader;

  AuditLine(ZoneId zone) {
    time = new AuditTime(zone);
  }

  long timeMillis() {
    return timeMillis;
  }

  AccessKind kind() {
    return kind;
  }

  PathBytes path() {
    return path;
  }

  /** The new path of a rename; else empty. */
  PathBytes destination() {
    return renames ? destination : none;
  }

  /** A hash of user and address, and of the client's own where a Router called for it. */
  long reader() {
    return reader;
  }

  /** Parses the bytes of a line, without its newline. */
  Verdict parse(byte[] bytes, int from, int to) {
    line = bytes;
    end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    timeMillis = time.parse(bytes, from, end);
    int message = timeMillis == AuditTime.NONE ? -1 : message(from);
    if (message < 0) {
      return Verdict.FOREIGN;
    }
    int value = message + ALLOWED.length();
    boolean allowed = ByteScan.startsWith(line, value, end, TRUE);
    if (!allowed && !ByteScan.startsWith(line, value, end, FALSE)) {
      return value + FALSE.length() > end ? Verdict.CUT : Verdict.FOREIGN;
    }
    int ugi = field(value, UGI);
    int ip = field(ugi, IP);
    int cmd = field(ip, CMD);
    int src = field(cmd, SRC);
    if (src < 0) {
      return Verdict.CUT;
    }
    reader = ByteHash.hash(line, ugi, cmd - CMD.length(), 0);
    kind = AuditCommands.kind(line, cmd, src - SRC.length() - 1);
    Verdict paths = paths(src);
    if (paths != Verdict.ACCESS || allowed) {
      return paths;
    }
    kind = AuditCommands.refused(kind);
    return Verdict.REFUSED;
  }

  /** Adds the client that a Router tells of to the reader. */
  private void routed(int from) {
    int context = ByteScan.indexOf(line, from, end, CONTEXT_FIELD) + CONTEXT_FIELD.length();
    if (context >= CONTEXT_FIELD.length()
        && ByteScan.startsWith(line, context, end, CONTEXT_REST)) {
      reader ^= RoutedClient.hash(line, context + CONTEXT_REST.length(), end) & 0xffffffffL;
    }
  }

  private int message(int from) {
    int guess = from + messageGuess;
    if (messageGuess > 0 && ByteScan.startsWith(line, guess, end, ALLOWED)) {
      return guess;
    }
    int limit = Math.min(end, from + HEAD_BYTES_MAX);
    int found = ByteScan.indexOf(line, from + AuditTime.LENGTH, limit, ALLOWED);
    messageGuess = found < 0 ? messageGuess : found - from;
    return found;
  }

  /** Where the value of the next field of that name begins, or -1. */
  private int field(int from, ByteScan.Word name) {
    if (from < 0) {
      return -1;
    }
    int at = from;
    do {
      at = ByteScan.indexOf(line, at, end, (byte) '\t') + 1;
      if (at == 0) {
        return -1;
      }
    } while (!ByteScan.startsWith(line, at, end, name));
    return at + name.length();
  }

  private Verdict paths(int src) {
    int srcEnd = ByteScan.indexOf(line, src, end, (byte) '\t');
    if (srcEnd >= 0 && !ByteScan.startsWith(line, srcEnd + 1, end, DST)) {
      srcEnd = ByteScan.indexOf(line, srcEnd, end, DST_FIELD);
    }
    if (srcEnd < 0) {
      return Verdict.CUT;
    }
    if (kind != AccessKind.OTHER && line[src] != '/') {
      return Verdict.FOREIGN;
    }
    EscapedPath.set(path, line, src, srcEnd);
    renames = kind == AccessKind.RENAME;
    if (kind == AccessKind.OPEN || kind == AccessKind.CHECK) {
      routed(srcEnd);
    }
    return renames ? newPath(srcEnd + DST_FIELD.length()) : Verdict.ACCESS;
  }

  private Verdict newPath(int dst) {
    int dstEnd = ByteScan.indexOf(line, dst, end, (byte) '\t');
    if (dstEnd < 0) {
      return Verdict.CUT;
    }
    if (!ByteScan.startsWith(line, dstEnd + 1, end, PERM)
        && !ByteScan.startsWith(line, dstEnd + 1, end, INVOKE_TYPE)) {
      dstEnd = ByteScan.indexOf(line, dstEnd, end, PERM_FIELD);
    }
    if (dstEnd < 0) {
      return Verdict.CUT;
    }
    if (line[dst] != '/') {
      return Verdict.FOREIGN;
    }
    // A second "dst=" leaves open where the one path ends and the other begins.
    if (ByteScan.indexOf(line, dst, dstEnd, DST_FIELD) >= 0) {
      return Verdict.FOREIGN;
    }
    EscapedPath.set(destination, line, dst, dstEnd);
    return Verdict.ACCESS;
  }
}
