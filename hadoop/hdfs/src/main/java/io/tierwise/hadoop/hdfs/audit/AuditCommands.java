package io.tierwise.hadoop.hdfs.audit;

import io.tierwise.core.use.AccessKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The NameNode's names of calls in its audit. Words behind the name are options: {@code rename
 * (options=[OVERWRITE])}. {@code concat} and {@code truncate} are no accesses of a reader.
 */
public final class AuditCommands {
  private static final byte[] OPEN = name("open");
  private static final byte[] CREATE = name("create");
  private static final byte[] APPEND = name("append");
  private static final byte[] DELETE = name("delete");
  private static final byte[] RENAME = name("rename");
  private static final byte[] CHECK = name("checkAccess");

  private AuditCommands() {}

  private static byte[] name(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The kind of an attempt that the NameNode refused. Only that of an open says something: nobody
   * may open the placeholder of a file in a secondary store.
   */
  public static AccessKind refused(AccessKind kind) {
    return kind == AccessKind.OPEN ? AccessKind.OPEN_REFUSED : AccessKind.OTHER;
  }

  /** The kind of a call by the name that a NameNode gives it. */
  public static AccessKind kind(String command) {
    byte[] bytes = name(command);
    return kind(bytes, 0, bytes.length);
  }

  /** The same for a name inside a line. */
  public static AccessKind kind(byte[] line, int from, int to) {
    if (from == to) {
      return AccessKind.OTHER;
    }
    return switch (line[from]) {
      case 'o' -> ofName(line, from, to, OPEN, AccessKind.OPEN);
      case 'c' ->
          to - from == CHECK.length
              ? ofName(line, from, to, CHECK, AccessKind.CHECK)
              : ofName(line, from, to, CREATE, AccessKind.CREATE);
      case 'a' -> ofName(line, from, to, APPEND, AccessKind.APPEND);
      case 'd' -> ofName(line, from, to, DELETE, AccessKind.DELETE);
      case 'r' -> ofName(line, from, to, RENAME, AccessKind.RENAME);
      default -> AccessKind.OTHER;
    };
  }

  private static AccessKind ofName(byte[] line, int from, int to, byte[] name, AccessKind kind) {
    int end = from + name.length;
    boolean same = end <= to && Arrays.equals(line, from, end, name, 0, name.length);
    return same && (end == to || line[end] == ' ') ? kind : AccessKind.OTHER;
  }
}
