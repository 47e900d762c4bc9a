package io.tierwise.history;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** An open file of history, unpacked when it is gzip or zstd (by its first bytes, not its name). */
public final class TraceFile extends FilterInputStream {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final String file;
  private final long fileBytes;
  private final CountingStream counter;

  private TraceFile(String file, long fileBytes, CountingStream counter, InputStream unpacked) {
    super(unpacked);
    this.file = file;
    this.fileBytes = fileBytes;
    this.counter = counter;
  }

  /**
   * Opens a file.
   *
   * @throws TraceException when there is none, when it is no file, empty, or packed otherwise
   */
  public static TraceFile open(HistoryFile history) throws IOException {
    String file = history.name();
    long bytes = history.bytes();
    if (bytes == 0) {
      throw new TraceException(file + ": is empty");
    }
    CountingStream counter = new CountingStream(history.open());
    boolean open = false;
    try {
      BufferedInputStream packed = new BufferedInputStream(counter, BUFFER_BYTES);
      packed.mark(8);
      byte[] magic = packed.readNBytes(6);
      packed.reset();
      InputStream unpacked = packed;
      if (startsWith(magic, 0x1f, 0x8b)) {
        unpacked = new GZIPInputStream(packed, BUFFER_BYTES);
      } else if (startsWith(magic, 0x28, 0xb5, 0x2f, 0xfd)) {
        unpacked = new ZstdInputStream(packed);
      } else {
        refuseOtherPacking(file, magic);
      }
      TraceFile trace = new TraceFile(file, bytes, counter, unpacked);
      open = true;
      return trace;
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(file + ": " + reason(e), e);
    } finally {
      if (!open) {
        counter.close();
      }
    }
  }

  private static void refuseOtherPacking(String file, byte[] magic) throws TraceException {
    String packing = "";
    if (startsWith(magic, 0xfd, '7', 'z', 'X', 'Z')) {
      packing = "xz";
    } else if (startsWith(magic, 'B', 'Z', 'h')) {
      packing = "bzip2";
    } else if (startsWith(magic, 'L', 'Z', '4', 'B')) {
      packing = "lz4";
    } else if (startsWith(magic, 'P', 'K', 3, 4)) {
      packing = "zip";
    }
    if (!packing.isEmpty()) {
      throw new TraceException(
          file + ": is packed with " + packing + ", unpack it or pack it with gzip or zstd");
    }
  }

  private static boolean startsWith(byte[] bytes, int... magic) {
    if (bytes.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((bytes[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /** The failure of the file below, as the end of a sentence that starts with its name. */
  public static String reason(IOException e) {
    if (e instanceof java.io.EOFException) {
      return "the gzip data ends too early, the file is cut off";
    }
    if (e instanceof ZstdIOException) {
      return "the zstd data is cut off or damaged (" + e.getMessage() + ")";
    }
    if (e instanceof java.util.zip.ZipException) {
      return "the gzip data is damaged (" + e.getMessage() + ")";
    }
    return "cannot be read (" + e.getMessage() + ")";
  }

  public String file() {
    return file;
  }

  /** Share of the file's bytes that have been read. */
  public double progress() {
    return Math.min(1, counter.count / (double) fileBytes);
  }

  private static final class CountingStream extends FilterInputStream {
    private long count;

    CountingStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count += value >= 0 ? 1 : 0;
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }
}
