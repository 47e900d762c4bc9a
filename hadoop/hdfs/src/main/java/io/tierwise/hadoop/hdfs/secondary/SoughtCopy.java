package io.tierwise.hadoop.hdfs.secondary;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/**
 * A placeholder's knowledge of its copy.
 *
 * @param path of the placeholder, which may have been renamed since
 * @param pool the block pool
 * @param fileId of the placeholder
 * @param fileBytes of the file
 * @param mtime of the placeholder: the file's, unless somebody has set another one since
 */
public record SoughtCopy(String path, String pool, long fileId, long fileBytes, long mtime) {
  private static final int MILLIS_OF_SECOND = 1_000;

  /** The degrees to which a copy under the placeholder's number fits it. */
  enum Likeness {
    /** It is of another file. */
    NONE,
    /** It has the length; the placeholder may have been renamed and got another time. */
    LENGTH,
    /** It has the path, too; somebody set the placeholder another time. */
    PATH,
    /** It has the time, too; somebody renamed the placeholder. */
    TIME,
    /** All is the same. */
    WHOLE
  }

  /**
   * Of a placeholder.
   *
   * @throws IOException when somebody has appended to it
   */
  public static SoughtCopy of(HdfsLocatedFileStatus placeholder, String path) throws IOException {
    return new SoughtCopy(
        path,
        placeholder.getLocatedBlocks().get(0).getBlock().getBlockPoolId(),
        placeholder.getFileId(),
        Placeholder.fileBytes(placeholder, path),
        placeholder.getModificationTime());
  }

  /** Whether more than the length says that it is the placeholder's own. */
  public boolean isLikely(CopyDescription copy) {
    return likenessOf(copy).compareTo(Likeness.LENGTH) > 0;
  }

  /**
   * Whether the time alone tells a copy under this number, of this pool and length, from any other.
   * Programs that give files an old time mostly know whole seconds, so that two files may have the
   * same.
   */
  boolean tellsByTime(CopyDescription copy) {
    return likenessOf(copy).compareTo(Likeness.TIME) >= 0 && mtime % MILLIS_OF_SECOND != 0;
  }

  Likeness likenessOf(CopyDescription copy) {
    if (copy.length() != fileBytes || !copy.pool().equals(pool)) {
      return Likeness.NONE;
    }
    boolean samePath = copy.path().equals(path);
    if (copy.mtime() != mtime) {
      return samePath ? Likeness.PATH : Likeness.LENGTH;
    }
    return samePath ? Likeness.WHOLE : Likeness.TIME;
  }
}
