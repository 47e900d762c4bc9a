package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tierwise.history.TraceException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small gzip files that unpack to one endless line or value. A reader that kept what it reads would
 * allocate as much as there is, at least.
 */
class TraceMemoryTest {
  private static final long UNPACKED_BYTES = 64L << 20;
  private static final long ALLOCATED_BYTES_MAX = UNPACKED_BYTES / 8;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"swim", "rumen", "jhist", "spark"})
  void keepsNoEndlessName(String format) throws IOException {
    Path file = bomb("{\"a", "");
    long before = allocatedBytes();
    assertThatThrownBy(() -> TraceText.read(TraceText.spec(format, file)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("bomb.gz");
    assertThat(allocatedBytes() - before).isLessThan(ALLOCATED_BYTES_MAX);
  }

  @ParameterizedTest
  @ValueSource(strings = {"swim", "rumen", "jhist", "spark"})
  void keepsNoEndlessLineThatIsSkipped(String format) throws IOException {
    Path file = bomb("", "\n");
    long before = allocatedBytes();
    assertThatThrownBy(() -> TraceText.read(TraceText.skipping(format, file)))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("bomb.gz");
    assertThat(allocatedBytes() - before).isLessThan(ALLOCATED_BYTES_MAX);
  }

  @Test
  void keepsNoEndlessValueThatIsNotAskedFor() throws IOException {
    Path file = bomb("{\"jobID\":\"j\",\"submitTime\":5,\"note\":\"", "\"}");
    long before = allocatedBytes();
    assertThat(TraceText.read(TraceText.spec("rumen", file))).hasSize(1);
    assertThat(allocatedBytes() - before).isLessThan(ALLOCATED_BYTES_MAX);
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  private Path bomb(String start, String end) throws IOException {
    Path file = folder.resolve("bomb.gz");
    byte[] chunk = "a".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file), 1 << 16)) {
      out.write(start.getBytes(StandardCharsets.UTF_8));
      for (long written = 0; written < UNPACKED_BYTES; written += chunk.length) {
        out.write(chunk);
      }
      out.write(end.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }
}
