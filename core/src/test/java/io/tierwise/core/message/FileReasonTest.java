package io.tierwise.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReasonTest {
  @TempDir private Path folder;

  private static String reason(ThrowingCallable call) {
    return FileReason.of(catchThrowableOfType(IOException.class, call));
  }

  @Test
  void theReasonStandsBehindTheFile() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThat(reason(() -> Files.createDirectories(file)))
        .isEqualTo(file + ": a file of that name is there");
    assertThat(reason(() -> Files.size(folder.resolve("gone"))))
        .isEqualTo(folder.resolve("gone") + ": it is not there");
    assertThat(reason(() -> Files.newDirectoryStream(file)))
        .isEqualTo(file + ": it is no directory");
    // Root may write everywhere, so that a real one is not to be had in each test.
    assertThat(FileReason.of(new AccessDeniedException("/build")))
        .isEqualTo("/build: no permission");
  }

  @Test
  void whatJavaSaysOfTheRestIsKept() {
    assertThat(FileReason.of(new FileSystemException("/mnt/x", null, "Read-only file system")))
        .isEqualTo("/mnt/x: Read-only file system");
    assertThat(FileReason.of(new IOException("short"))).isEqualTo("short");
    assertThat(FileReason.of(new EOFException())).isEqualTo("EOFException");
  }
}
