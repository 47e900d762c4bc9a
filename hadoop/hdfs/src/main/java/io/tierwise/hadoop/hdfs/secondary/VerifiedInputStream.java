package io.tierwise.hadoop.hdfs.secondary;

import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;

/**
 * Reads a copy chunk by chunk, and hands out no byte of a chunk before its checksum was right. Safe
 * for many threads, which take turns.
 */
final class VerifiedInputStream extends FSInputStream {
  private final FSDataInputStream in;
  private final StoredCopy copy;
  private final String ofPath;
  private final long length;
  private final int chunkBytes;
  private final int[] sums;
  private final CRC32C sum = new CRC32C();
  private byte[] chunk;
  private long loaded = -1;
  private long position;
  private boolean closed;

  /**
   * @param ofPath for messages: the file that is read
   */
  VerifiedInputStream(
      FSDataInputStream in, StoredCopy copy, CopyDescription.Checked checked, String ofPath) {
    this.in = in;
    this.copy = copy;
    this.ofPath = ofPath;
    this.length = checked.description().length();
    this.chunkBytes = checked.description().chunkBytes();
    this.sums = checked.sums();
  }

  @Override
  public synchronized int read() throws IOException {
    return load() ? chunk[(int) (position++ % chunkBytes)] & 0xff : -1;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int wanted) throws IOException {
    validatePositionedReadArgs(position, into, offset, wanted);
    if (wanted == 0) {
      return 0;
    }
    if (!load()) {
      return -1;
    }
    int at = (int) (position % chunkBytes);
    int count = (int) Math.min(wanted, Math.min(chunkBytes - at, length - position));
    System.arraycopy(chunk, at, into, offset, count);
    position += count;
    return count;
  }

  /** Whether there is a byte at the position; its chunk is at hand then. */
  private boolean load() throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
    if (position >= length) {
      return false;
    }
    long index = position / chunkBytes;
    if (index != loaded) {
      loaded = -1;
      int count = (int) Math.min(chunkBytes, length - index * chunkBytes);
      fetch(index * chunkBytes, count);
      sum.reset();
      sum.update(chunk, 0, count);
      if ((int) sum.getValue() != sums[(int) index]) {
        throw wrong(
            "does not match its checksum at bytes " + index * chunkBytes + " and following");
      }
      loaded = index;
    }
    return true;
  }

  private void fetch(long from, int count) throws IOException {
    if (chunk == null) {
      chunk = new byte[(int) Math.min(chunkBytes, length)];
    }
    try {
      if (in.getPos() != from) {
        in.seek(from);
      }
      in.readFully(chunk, 0, count);
    } catch (EOFException e) {
      throw wrong("is shorter than it was");
    } catch (IOException e) {
      throw SecondaryStores.unreadable(ofPath, copy.store(), e);
    }
  }

  private IOException wrong(String what) {
    return new IOException(
        ofPath
            + " is in the secondary store, and its copy "
            + copy.data()
            + " "
            + what
            + ": nothing of that part was handed out; restore the copy from a backup of the store");
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    if (to < 0) {
      throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK);
    }
    if (to > length) {
      throw new EOFException(FSExceptionMessages.CANNOT_SEEK_PAST_EOF);
    }
    position = to;
  }

  @Override
  public synchronized long getPos() {
    return position;
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public synchronized int available() {
    return (int) Math.min(Integer.MAX_VALUE, length - position);
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    chunk = null;
    loaded = -1;
    in.close();
  }
}
