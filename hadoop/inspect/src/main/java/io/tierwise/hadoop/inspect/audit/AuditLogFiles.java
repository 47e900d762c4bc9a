package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Whole files of audit logs, gzipped or not, in the order of the times that they begin with: what a
 * rotation calls them does not matter. They may be of several NameNodes: their lines are read in
 * the order of their times.
 */
public final class AuditLogFiles {
  /** What {@link #isGzip} looks at. */
  static final int GZIP_BEGIN_BYTES = 2;

  private static final int GZIP_BUFFER_BYTES = 1 << 16;

  /** Own: a file whose first so many lines have no time is no log. */
  private static final int HEAD_BYTES = 1 << 16;

  private record Dated(NamedFile named, long firstMillis) {
    Path file() {
      return named.file();
    }
  }

  private final List<Dated> files;
  private final ZoneId zone;

  /** Two files that are one: a file and its copy, packed or not, or an older one; or null. */
  private final String twice;

  private AuditLogFiles(List<Dated> files, ZoneId zone, String twice) {
    this.files = files;
    this.zone = zone;
    this.twice = twice;
  }

  /**
   * Puts files into their order.
   *
   * @param zone the time zone of the NameNodes that wrote them
   */
  public static AuditLogFiles inOrder(List<Path> files, ZoneId zone) throws IOException {
    List<Dated> dated = new ArrayList<>();
    Map<ByteBuffer, Path> heads = new HashMap<>();
    String twice = null;
    for (Path file : files) {
      NamedFile named = NamedFile.of(file);
      byte[] head = head(file);
      Path same = head.length > 0 ? heads.putIfAbsent(ByteBuffer.wrap(head), file) : null;
      twice = same == null ? twice : same + " and " + file;
      dated.add(new Dated(named, firstMillis(head, zone)));
    }
    dated.sort(
        Comparator.comparingLong(Dated::firstMillis).thenComparing(each -> each.file().toString()));
    return new AuditLogFiles(dated, zone, twice);
  }

  public List<Path> files() {
    return files.stream().map(Dated::file).toList();
  }

  /**
   * Reads all files to their ends.
   *
   * @throws OperatorException when two of them are one
   */
  public AuditCounts read(AccessSink sink) throws IOException {
    if (twice != null) {
      throw OperatorException.badInput(
          twice + " begin with the same lines, which would count twice: name one of them");
    }
    AccessMerge merge = new AccessMerge(sink);
    List<Part> parts = new ArrayList<>();
    try {
      for (Dated each : files) {
        parts.add(merge.add(each.firstMillis(), into -> new Part(each.named(), zone, into)));
      }
      merge.drain();
    } finally {
      for (Part each : parts) {
        each.close();
      }
    }
    return parts.stream().map(Part::counts).reduce(AuditCounts.NONE, AuditCounts::plus);
  }

  /**
   * One of the files. Those that cover no time of each other's are open one after the other, each
   * under the name that it has by then: a log may turn meanwhile.
   */
  private static final class Part implements AccessMerge.Log, Closeable {
    private final NamedFile file;
    private final ZoneId zone;
    private final AccessSink into;
    private AuditLogReader reader;
    private WholeLog log;
    private AuditCounts counts = AuditCounts.NONE;

    Part(NamedFile file, ZoneId zone, AccessSink into) {
      this.file = file;
      this.zone = zone;
      this.into = into;
    }

    @Override
    public boolean readSome() throws IOException {
      if (log == null) {
        reader = new AuditLogReader(zone, into);
        log = new WholeLog(file.nowOrThen(), reader);
      }
      if (reader == null) {
        return false;
      }
      boolean more = log.readSome();
      if (!more) {
        counts = reader.counts();
        reader = null; // Its buffer goes: a log may have a thousand files.
      }
      return more;
    }

    AuditCounts counts() {
      return counts;
    }

    @Override
    public void close() throws IOException {
      if (log != null) {
        log.close();
      }
    }
  }

  static boolean isGzip(byte[] begin) {
    return begin.length == GZIP_BEGIN_BYTES && begin[0] == (byte) 0x1f && begin[1] == (byte) 0x8b;
  }

  static InputStream open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw OperatorException.badInput(
          file
              + " is a directory: name the files of the log in it, as "
              + file
              + "/hdfs-audit.log*");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // Its begin is read first, to see when it begins: a pipe would give the rest only.
      throw OperatorException.badInput(
          file + " is a pipe or a device, which cannot be read twice: write it to a file first");
    }
    try {
      PushbackInputStream in =
          new PushbackInputStream(Files.newInputStream(file), GZIP_BEGIN_BYTES);
      byte[] begin = in.readNBytes(GZIP_BEGIN_BYTES);
      in.unread(begin);
      return isGzip(begin) ? new GZIPInputStream(in, GZIP_BUFFER_BYTES) : in;
    } catch (NoSuchFileException e) {
      throw OperatorException.badInput(file + " is not there: name a file of the log");
    } catch (AccessDeniedException e) {
      throw OperatorException.cluster("no permission to read " + file, e);
    }
  }

  /** The unpacked begin of a file. */
  private static byte[] head(Path file) throws IOException {
    byte[] head = new byte[HEAD_BYTES];
    int filled = 0;
    try (InputStream in = open(file)) {
      int got = 0;
      while (got >= 0 && filled < head.length) {
        filled += got;
        got = in.read(head, filled, head.length - filled);
      }
    } catch (EOFException | ZipException e) {
      // Reading all of it says so.
    }
    return Arrays.copyOf(head, filled);
  }

  /** The first time in a head; the end of time where its lines have none. */
  private static long firstMillis(byte[] head, ZoneId zone) {
    AuditTime time = new AuditTime(zone);
    int end = head.length;
    int start = 0;
    while (start < end) {
      long millis = time.parse(head, start, end);
      if (millis != AuditTime.NONE) {
        return millis;
      }
      int newline = ByteScan.indexOf(head, start, end, (byte) '\n');
      start = newline < 0 ? end : newline + 1;
    }
    return Long.MAX_VALUE;
  }
}
