package io.tierwise.hadoop.hdfs.secondary;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The small file that stands in HDFS for one whose bytes are in a secondary store.
 *
 * <p>Whatever a listing has to tell is in the status that every listing brings, so that it takes no
 * further call and no right to read: the preferred block size is {@link #MARK} plus the length in
 * units of 512 bytes, and the placeholder's own length says the rest. A block size cannot be
 * changed after a file was made, nor has any file one of 128 TiB by itself.
 *
 * <p>Nobody may read it by the NameNode's rules: its rights to read have become rights to execute,
 * which mean nothing for files of HDFS. So a client that does not know placeholders fails with "no
 * permission" and never takes the few bytes for the file's.
 */
public final class Placeholder {
  /** Added to block sizes; HDFS keeps 48 bits. */
  static final long MARK = 1L << 47;

  /** Block sizes are multiples of a checksum's chunk. */
  public static final int UNIT = 512;

  private static final String TEXT =
      "This is not the file: Tierwise keeps its bytes in a secondary store."
          + " Read it by Tierwise's client, or get it back with 'tierwise secondary recall'.\n";

  private Placeholder() {}

  /** Whether it is one, unharmed or not. */
  public static boolean is(HdfsFileStatus status) {
    return status.isFile() && isBlockBytes(status.getBlockSize());
  }

  /** Whether a preferred block size is a placeholder's. */
  public static boolean isBlockBytes(long preferred) {
    return preferred >= MARK;
  }

  /** Whether a placeholder can have that length; most files cannot be told apart any cheaper. */
  public static boolean mayHave(long bytes) {
    return bytes >= UNIT && bytes < 2 * UNIT;
  }

  /** The preferred block size of the placeholder of a file with so many bytes. */
  public static long blockBytes(long fileBytes) {
    return MARK + fileBytes / UNIT * UNIT;
  }

  /** The text that is written into it. */
  public static byte[] body(long fileBytes) {
    byte[] body = new byte[UNIT + (int) (fileBytes % UNIT)];
    Arrays.fill(body, (byte) ' ');
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, body, 0, text.length);
    body[body.length - 1] = '\n';
    return body;
  }

  /** Whether it is a placeholder that nobody has appended to. */
  public static boolean isWhole(HdfsFileStatus status) {
    return is(status) && mayHave(status.getLen());
  }

  /**
   * The length of the file that it stands for.
   *
   * @throws IOException when somebody has appended to the placeholder
   */
  public static long fileBytes(HdfsFileStatus status, String path) throws IOException {
    if (!isWhole(status)) {
      throw new IOException(
          path
              + " is in a secondary store, and a client that does not know this has appended to its"
              + " placeholder in HDFS: save what was appended, and run 'tierwise secondary"
              + " verify'");
    }
    return status.getBlockSize() - MARK + status.getLen() - UNIT;
  }

  /** The rights of a placeholder whose file has these: who may read may execute, and no more. */
  public static FsPermission closed(FsPermission file) {
    return new FsPermission(
        closed(file.getUserAction()), closed(file.getGroupAction()), closed(file.getOtherAction()));
  }

  private static FsAction closed(FsAction action) {
    return action.implies(FsAction.READ) ? FsAction.EXECUTE : FsAction.NONE;
  }

  /**
   * The rights that a file gets again: those that it had, without what was taken from its
   * placeholder meanwhile.
   */
  public static FsPermission again(FsPermission file, FsPermission placeholder) {
    return new FsPermission(
        again(file.getUserAction(), placeholder.getUserAction()),
        again(file.getGroupAction(), placeholder.getGroupAction()),
        again(file.getOtherAction(), placeholder.getOtherAction()));
  }

  private static FsAction again(FsAction file, FsAction placeholder) {
    boolean taken = file.implies(FsAction.READ) && shown(placeholder) == FsAction.NONE;
    return taken ? FsAction.NONE : file;
  }

  /** The rights that readers have: those of the placeholder, seen the other way round. */
  static FsPermission shown(FsPermission placeholder) {
    return new FsPermission(
        shown(placeholder.getUserAction()),
        shown(placeholder.getGroupAction()),
        shown(placeholder.getOtherAction()));
  }

  private static FsAction shown(FsAction action) {
    return action.implies(FsAction.EXECUTE) || action.implies(FsAction.READ)
        ? FsAction.READ
        : FsAction.NONE;
  }

  /** Whether clients that do not know placeholders can read it: somebody gave it rights. */
  public static boolean isOpen(HdfsFileStatus placeholder) {
    FsPermission rights = placeholder.getPermission();
    return rights.getUserAction().implies(FsAction.READ)
        || rights.getGroupAction().implies(FsAction.READ)
        || rights.getOtherAction().implies(FsAction.READ);
  }

  /**
   * The status of the file that a whole placeholder stands for.
   *
   * @param path with its file system
   * @param blockBytes that splits are made of
   */
  public static FileStatus shown(HdfsFileStatus status, Path path, long blockBytes)
      throws IOException {
    return new HdfsFileStatus.Builder()
        .length(fileBytes(status, path.toString()))
        .replication(status.getReplication())
        .blocksize(blockBytes)
        .mtime(status.getModificationTime())
        .atime(status.getAccessTime())
        .perm(shown(status.getPermission()))
        .owner(status.getOwner())
        .group(status.getGroup())
        .fileId(status.getFileId())
        .storagePolicy(status.getStoragePolicy())
        .build()
        .makeQualified(path.toUri(), path);
  }

  /** Blocks of a file in a secondary store: at no host in particular. */
  public static BlockLocation[] locations(
      long fileBytes, long blockBytes, long start, long length) {
    long end =
        Math.min(fileBytes, length > Long.MAX_VALUE - start ? Long.MAX_VALUE : start + length);
    if (start >= end) {
      return new BlockLocation[0];
    }
    int first = (int) (start / blockBytes);
    int last = (int) ((end - 1) / blockBytes);
    BlockLocation[] blocks = new BlockLocation[last - first + 1];
    for (int i = 0; i < blocks.length; i++) {
      long at = (first + i) * blockBytes;
      blocks[i] =
          new BlockLocation(new String[0], new String[0], at, Math.min(blockBytes, fileBytes - at));
    }
    return blocks;
  }
}
