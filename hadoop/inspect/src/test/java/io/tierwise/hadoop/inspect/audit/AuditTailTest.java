package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTailTest {
  @TempDir private Path folder;

  private final List<String> seen = new ArrayList<>();

  private Path log() {
    return folder.resolve("hdfs-audit.log");
  }

  private AuditTail tail() {
    return new AuditTail(
        log(),
        ZoneOffset.UTC,
        (time, kind, path, destination, reader) -> seen.add(path.toString()));
  }

  private void append(String text) throws IOException {
    Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void readsWhatIsWrittenLineByLine() throws IOException {
    try (AuditTail tail = tail()) {
      tail.poll();
      String second = AuditLogFilesTest.line(2, "/b");
      append(AuditLogFilesTest.line(1, "/a") + second.substring(0, 120));
      tail.poll();
      assertThat(seen).containsExactly("/a");
      append(second.substring(120));
      tail.poll();
      tail.poll();
      assertThat(seen).containsExactly("/a", "/b");
      assertThat(tail.counts().corrupt()).isZero();
    }
  }

  /** Nobody writes to the pipe: it must not be waited for. */
  @Test
  void aPipeOrADirectoryIsRefusedInOneLine() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", log().toString()).start().waitFor()).isZero();
    try (AuditTail tail = tail()) {
      assertThatThrownBy(tail::poll)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining(log() + " is a pipe or a device: a log that grows");
      Files.delete(log());
      Files.createDirectory(log());
      assertThatThrownBy(tail::poll)
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining(log() + " is a directory: ");
    }
  }

  @Test
  void readsARenamedFileToItsEndBeforeTheNewOne() throws IOException {
    try (AuditTail tail = tail()) {
      append(AuditLogFilesTest.line(1, "/a"));
      tail.poll();
      append(AuditLogFilesTest.line(2, "/b"));
      Files.move(log(), folder.resolve("hdfs-audit.log.1"));
      tail.poll();
      append(AuditLogFilesTest.line(3, "/c"));
      tail.poll();
      assertThat(seen).containsExactly("/a", "/b", "/c");
      assertThat(tail.rotations()).isEqualTo(1);
    }
  }

  @Test
  void beginsAgainWhereTheFileWasCutToNothing() throws IOException {
    try (AuditTail tail = tail()) {
      append(AuditLogFilesTest.line(1, "/a") + AuditLogFilesTest.line(2, "/b"));
      tail.poll();
      Files.writeString(log(), AuditLogFilesTest.line(3, "/c"));
      tail.poll();
      assertThat(seen).containsExactly("/a", "/b", "/c");
    }
  }
}
