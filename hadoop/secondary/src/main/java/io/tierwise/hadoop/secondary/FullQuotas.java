package io.tierwise.hadoop.secondary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;

/**
 * Directories whose quota refused a file's placeholder, which is seen when the copy was made and
 * read back: further files below stay at once, until such a directory has more room than it had
 * then. HDFS does not tell whose quota has room without counting all that is below; of a directory
 * that has a quota it knows. For one run at a time.
 */
public final class FullQuotas {
  /** How HDFS's sentences about each kind of quota name the directory. */
  private static final Pattern DIRECTORY =
      Pattern.compile("(?:quota of|of directory|on path :) (/.*?) is exceeded");

  private final Map<Path, Full> all = new HashMap<>();

  /**
   * A directory that is full.
   *
   * @param line HDFS's
   */
  private record Full(String line, QuotaUsage usage) {}

  /** A file did not go. */
  void note(DistributedFileSystem fs, PrimaryFile file, Exception why) {
    for (Throwable each = why; each != null; each = each.getCause()) {
      if (each instanceof QuotaExceededException) {
        Matcher named = DIRECTORY.matcher(String.valueOf(each.getMessage()));
        Path full = named.find() ? new Path(named.group(1)) : file.hdfsPath().getParent();
        try {
          all.put(full, new Full(FaultLine.of(why), fs.getQuotaUsage(full)));
        } catch (IOException e) {
          // The next file is tried, too: nobody knows what would be more room.
        }
        return;
      }
    }
  }

  /**
   * Looks before a copy is made.
   *
   * @throws IOException with HDFS's line, when a quota above the file refused another one
   */
  void requireRoom(DistributedFileSystem fs, PrimaryFile file) throws IOException {
    Path directory = file.hdfsPath().getParent();
    while (directory != null && !all.isEmpty()) {
      Full full = all.get(directory);
      if (full != null && !hasMoreRoom(fs, directory, full.usage())) {
        throw new IOException(full.line());
      }
      all.remove(directory);
      directory = directory.getParent();
    }
  }

  private static boolean hasMoreRoom(DistributedFileSystem fs, Path directory, QuotaUsage then)
      throws IOException {
    QuotaUsage now;
    try {
      now = fs.getQuotaUsage(directory);
    } catch (FileNotFoundException e) {
      return true;
    }
    boolean hasMore =
        room(now.getQuota(), now.getFileAndDirectoryCount())
                > room(then.getQuota(), then.getFileAndDirectoryCount())
            || room(now.getSpaceQuota(), now.getSpaceConsumed())
                > room(then.getSpaceQuota(), then.getSpaceConsumed());
    for (StorageType type : StorageType.getTypesSupportingQuota()) {
      hasMore |=
          room(now.getTypeQuota(type), now.getTypeConsumed(type))
              > room(then.getTypeQuota(type), then.getTypeConsumed(type));
    }
    return hasMore;
  }

  /** Without a quota, there is room for all. */
  private static long room(long quota, long used) {
    return quota < 0 ? Long.MAX_VALUE : quota - used;
  }
}
