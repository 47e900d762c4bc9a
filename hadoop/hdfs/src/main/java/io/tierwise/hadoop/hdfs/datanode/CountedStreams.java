package io.tierwise.hadoop.hdfs.datanode;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;

/** Streams over a replica that end an admission when they are closed. */
public final class CountedStreams {
  private CountedStreams() {}

  /** Opens a replica. */
  public interface Opening {
    InputStream open() throws IOException;
  }

  /**
   * Opens the replica, and ends its admission when the stream is closed or cannot be opened. A
   * file's stream stays one: Hadoop sends from its channel without copying.
   */
  public static InputStream open(Closeable admitted, Opening opening) throws IOException {
    if (admitted == ReadAdmission.UNCOUNTED) {
      return opening.open();
    }
    boolean opened = false;
    try {
      InputStream stream = opening.open();
      InputStream counted =
          stream instanceof FileInputStream file
              ? new CountedFile(file, admitted)
              : new Counted(stream, admitted);
      opened = true;
      return counted;
    } finally {
      if (!opened) {
        ReadAdmission.leave(admitted);
      }
    }
  }

  private static final class Counted extends FilterInputStream {
    private final Closeable admitted;

    Counted(InputStream stream, Closeable admitted) {
      super(stream);
      this.admitted = admitted;
    }

    @Override
    public void close() throws IOException {
      ReadAdmission.leave(admitted);
      super.close();
    }
  }

  /** The same open file under the same descriptor. */
  private static final class CountedFile extends FileInputStream {
    private final FileInputStream file;
    private final Closeable admitted;

    CountedFile(FileInputStream file, Closeable admitted) throws IOException {
      super(file.getFD());
      this.file = file;
      this.admitted = admitted;
    }

    @Override
    public int read() throws IOException {
      return file.read();
    }

    @Override
    public int read(byte[] buffer) throws IOException {
      return file.read(buffer);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return file.read(buffer, offset, length);
    }

    @Override
    public long skip(long count) throws IOException {
      return file.skip(count);
    }

    @Override
    public int available() throws IOException {
      return file.available();
    }

    @Override
    public FileChannel getChannel() {
      return file.getChannel();
    }

    /** Closing one stream of a descriptor closes the others, so this is called twice. */
    @Override
    public void close() throws IOException {
      if (admitted != null) {
        ReadAdmission.leave(admitted);
        file.close();
      }
      super.close();
    }
  }
}
