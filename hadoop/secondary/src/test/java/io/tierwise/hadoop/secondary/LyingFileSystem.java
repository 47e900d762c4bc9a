package io.tierwise.hadoop.secondary;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** A local file system that gives back a wrong byte now and then. */
public final class LyingFileSystem extends RawLocalFileSystem {
  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream honest = super.open(path, bufferSize);
    return new FSDataInputStream(new Lying(honest));
  }

  private static final class Lying extends FSInputStream {
    private final FSDataInputStream honest;

    private Lying(FSDataInputStream honest) {
      this.honest = honest;
    }

    @Override
    public int read() throws IOException {
      return honest.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = honest.read(into, offset, length);
      if (count > 100) {
        into[offset + 99] = (byte) (into[offset + 99] ^ 1);
      }
      return count;
    }

    @Override
    public void seek(long to) throws IOException {
      honest.seek(to);
    }

    @Override
    public long getPos() throws IOException {
      return honest.getPos();
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public void close() throws IOException {
      honest.close();
    }
  }
}
