package io.tierwise.simulator.workload.trace;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** An open trace file, unpacked when it is gzip (by its first bytes, not by its name). */
final class TraceFile extends FilterInputStream {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path file;
  private final long fileBytes;
  private final CountingStream counter;

  private TraceFile(Path file, long fileBytes, CountingStream counter, InputStream unpacked) {
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
  static TraceFile open(Path file) throws IOException {
    long bytes = sizeOf(file);
    CountingStream counter = new CountingStream(Files.newInputStream(file));
    boolean open = false;
    try {
      BufferedInputStream packed = new BufferedInputStream(counter, BUFFER_BYTES);
      packed.mark(8);
      byte[] magic = packed.readNBytes(6);
      packed.reset();
      InputStream unpacked = packed;
      if (startsWith(magic, 0x1f, 0x8b)) {
        unpacked = new GZIPInputStream(packed, BUFFER_BYTES);
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

  private static long sizeOf(Path file) throws IOException {
    try {
      if (Files.isDirectory(file)) {
        throw new TraceException(file + ": is a folder, name a file in it");
      }
      long bytes = Files.size(file);
      if (bytes == 0) {
        throw new TraceException(file + ": is empty");
      }
      if (!Files.isReadable(file)) {
        throw new TraceException(file + ": may not be read");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new TraceException(file + ": does not exist", e);
    } catch (AccessDeniedException e) {
      throw new TraceException(file + ": may not be read", e);
    }
  }

  private static void refuseOtherPacking(Path file, byte[] magic) throws TraceException {
    String packing = "";
    if (startsWith(magic, 0x28, 0xb5, 0x2f, 0xfd)) {
      packing = "zstd";
    } else if (startsWith(magic, 0xfd, '7', 'z', 'X', 'Z')) {
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
          file + ": is packed with " + packing + ", unpack it or pack it with gzip");
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
  static String reason(IOException e) {
    if (e instanceof java.io.EOFException) {
      return "the gzip data ends too early, the file is cut off";
    }
    if (e instanceof java.util.zip.ZipException) {
      return "the gzip data is damaged (" + e.getMessage() + ")";
    }
    return "cannot be read (" + e.getMessage() + ")";
  }

  Path file() {
    return file;
  }

  /** Share of the file's bytes that have been read. */
  double progress() {
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
