package io.tierwise.hadoop.hdfs.client;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;

/**
 * Reads a file whose bytes may move meanwhile. A read that fails is tried once more, at the same
 * position, where the bytes are by then. Safe for many threads, which take turns.
 */
final class FollowingInputStream extends FSInputStream {
  /** Opens the file where its bytes are now. If they did not move, the failure is thrown on. */
  @FunctionalInterface
  interface Reopen {
    FSDataInputStream again(IOException failure) throws IOException;
  }

  private final Reopen reopen;
  private FSDataInputStream in;
  private boolean closed;

  FollowingInputStream(FSDataInputStream in, Reopen reopen) {
    this.in = in;
    this.reopen = reopen;
  }

  @Override
  public synchronized int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public synchronized int read(byte[] into, int offset, int length) throws IOException {
    requireOpen();
    long position = in.getPos();
    try {
      return in.read(into, offset, length);
    } catch (IOException e) {
      move(position, e);
      return in.read(into, offset, length);
    }
  }

  private void move(long position, IOException failure) throws IOException {
    FSDataInputStream moved = reopen.again(failure);
    try {
      moved.seek(position);
      in.close();
    } catch (IOException | RuntimeException e) {
      moved.close();
      throw e;
    }
    in = moved;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
    }
  }

  @Override
  public synchronized void seek(long to) throws IOException {
    requireOpen();
    in.seek(to);
  }

  @Override
  public synchronized long getPos() throws IOException {
    return in.getPos();
  }

  @Override
  public boolean seekToNewSource(long target) {
    return false;
  }

  @Override
  public synchronized int available() throws IOException {
    requireOpen();
    return in.available();
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    in.close();
  }
}
