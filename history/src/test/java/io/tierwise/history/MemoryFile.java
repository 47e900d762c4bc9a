package io.tierwise.history;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A file of a test. */
record MemoryFile(String name, byte[] content) implements HistoryFile {
  static HistoryLog log(String name, String text) {
    return HistoryLog.named(of(name, text));
  }

  static MemoryFile of(String name, String text) {
    return new MemoryFile(name, text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public long bytes() {
    return content.length;
  }

  @Override
  public long changedMillis() {
    return 0;
  }

  @Override
  public InputStream open() {
    return new ByteArrayInputStream(content);
  }
}
