package io.tierwise.hadoop.secondary;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads a local file past the page cache, in whole blocks of its file system. */
final class DirectInputStream extends InputStream {
  private static final int BUFFER_BYTES = 1 << 18;

  private final FileChannel channel;
  private final int blockBytes;
  private final ByteBuffer buffer;
  private long position;

  private DirectInputStream(FileChannel channel, int blockBytes) {
    this.channel = channel;
    this.blockBytes = blockBytes;
    int bytes = Math.max(1, BUFFER_BYTES / blockBytes) * blockBytes;
    buffer =
        ByteBuffer.allocateDirect(bytes + blockBytes)
            .alignedSlice(blockBytes)
            .limit(bytes)
            .slice()
            .limit(0);
  }

  /**
   * Opens it.
   *
   * @throws IOException also when the file system has no direct reads
   * @throws UnsupportedOperationException when this platform has none
   */
  static DirectInputStream open(Path file) throws IOException {
    int blockBytes = Math.toIntExact(Files.getFileStore(file).getBlockSize());
    return new DirectInputStream(
        FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT), blockBytes);
  }

  @Override
  public int read() throws IOException {
    if (!buffer.hasRemaining() && !fill()) {
      return -1;
    }
    position++;
    return buffer.get() & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!buffer.hasRemaining() && !fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(into, offset, count);
    position += count;
    return count;
  }

  /** Reads on from the block that the position is in, also after a read that was cut short. */
  private boolean fill() throws IOException {
    int skipped = (int) (position % blockBytes);
    buffer.clear();
    int count = channel.read(buffer, position - skipped);
    if (count <= skipped) {
      buffer.limit(0);
      return false;
    }
    buffer.limit(count).position(skipped);
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
