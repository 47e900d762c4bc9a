package io.tierwise.hadoop.secondary;

import io.tierwise.hadoop.hdfs.secondary.SecondaryStore;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;

/** Tells the store's errors from those of HDFS; a flush makes all durable. */
final class StoreOutput extends OutputStream {
  private final SecondaryStore store;
  private final FSDataOutputStream out;

  StoreOutput(SecondaryStore store, FSDataOutputStream out) {
    this.store = store;
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    guard(() -> out.write(bytes, offset, length));
  }

  @Override
  public void flush() throws IOException {
    guard(
        () -> {
          if (out.hasCapability(StreamCapabilities.HSYNC)) {
            out.hsync();
          }
        });
  }

  @Override
  public void close() throws IOException {
    guard(out::close);
  }

  private interface Action {
    void run() throws IOException;
  }

  private void guard(Action action) throws IOException {
    try {
      action.run();
    } catch (IOException e) {
      throw new StoreException(store, "cannot be written", e);
    }
  }
}
