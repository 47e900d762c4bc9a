package io.tierwise.hadoop.inspect.audit;

import io.tierwise.core.use.AccessKind;
import io.tierwise.core.use.AccessSink;
import java.time.ZoneId;

/**
 * Reads lines of an audit log and hands their accesses on.
 *
 * <p>The line behind a cut one is not counted either. Releases before Hadoop 3 write a newline in a
 * name as it is: whoever may name a file could otherwise write lines of his own into the log. It
 * costs one access for each crash of a NameNode in the middle of a line.
 */
final class AuditLogReader extends LogLines {
  private final AuditLine line;
  private final AccessSink sink;
  private long accesses;
  private long refused;

  AuditLogReader(ZoneId zone, AccessSink sink) {
    line = new AuditLine(zone);
    this.sink = sink;
  }

  AuditCounts counts() {
    return new AuditCounts(lines(), accesses, refused, corrupt(), firstCorrupt());
  }

  @Override
  boolean line(byte[] bytes, int from, int to, boolean follows) {
    AuditLine.Verdict verdict = line.parse(bytes, from, to);
    switch (verdict) {
      case CUT -> spoilt("the line ends before its path does", from, to);
      case FOREIGN -> spoilt("this is no line of an HDFS audit log", from, to);
      case REFUSED -> {
        refused++;
        if (!follows && line.kind() != AccessKind.OTHER) {
          handOn();
        }
      }
      case ACCESS -> {
        if (follows) {
          spoilt("it follows a line that was cut, and may be part of a name", from, to);
        } else {
          accesses++;
          handOn();
        }
      }
    }
    return verdict == AuditLine.Verdict.CUT;
  }

  private void handOn() {
    sink.accessed(line.timeMillis(), line.kind(), line.path(), line.destination(), line.reader());
  }
}
