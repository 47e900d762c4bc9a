package io.tierwise.hadoop.secondary;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;

/**
 * Directories whose quota refused a file's placeholder, which is seen when the copy was made and
 * read back: further files below stay at once. HDFS does not tell whose quota has room without
 * counting all that is below.
 */
final class FullQuotas {
  /** How HDFS's sentences about each kind of quota name the directory. */
  private static final Pattern DIRECTORY =
      Pattern.compile("(?:quota of|of directory|on path :) (/.*?) is exceeded");

  private final Map<String, String> lines = new HashMap<>();

  /** A file did not go. */
  void note(PrimaryFile file, Exception why) {
    for (Throwable each = why; each != null; each = each.getCause()) {
      if (each instanceof QuotaExceededException) {
        Matcher named = DIRECTORY.matcher(String.valueOf(each.getMessage()));
        String parent = file.hdfsPath().getParent().toString();
        lines.put(named.find() ? named.group(1) : parent, FaultLine.of(why));
        return;
      }
    }
  }

  /**
   * Looks before a copy is made.
   *
   * @throws IOException with HDFS's line, when a quota above the file refused another one
   */
  void requireRoom(PrimaryFile file) throws IOException {
    Path directory = file.hdfsPath().getParent();
    while (directory != null && !lines.isEmpty()) {
      String line = lines.get(directory.toString());
      if (line != null) {
        throw new IOException(line);
      }
      directory = directory.getParent();
    }
  }
}
