package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.OperatorException;
import io.tierwise.core.use.AccessSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FollowedLogsTest {
  @TempDir private Path folder;

  private final List<String> seen = new ArrayList<>();
  private final AccessSink sink =
      (time, kind, path, destination, reader) -> seen.add(path.toString());

  private Path log() {
    return folder.resolve("hdfs-audit.log");
  }

  private void append(int second, String path) throws IOException {
    Files.writeString(
        log(),
        AuditLogFilesTest.line(second, path),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Waits until so many lines were read, which nobody takes. */
  private static void await(FollowedLogs logs, long lines) throws InterruptedException {
    while (logs.counts().lines() < lines) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private void drain(FollowedLogs logs) throws IOException, InterruptedException {
    while (!logs.isCaughtUp() || logs.drain(sink)) {
      logs.drain(sink);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void filesThatAreRotatedAwayWhileNobodyCountsAreRead() throws Exception {
    append(1, "/a");
    try (FollowedLogs logs =
        new FollowedLogs(NameNodeLogs.Source.of(List.of(log()), List.of()), ZoneOffset.UTC)) {
      drain(logs);
      assertThat(seen).containsExactly("/a");

      for (int second = 2; second < 5; second++) {
        Files.move(log(), folder.resolve("hdfs-audit.log." + second));
        append(second, "/" + second);
        await(logs, second);
      }

      assertThat(seen).as("nobody has counted").containsExactly("/a");
      drain(logs);
      assertThat(seen).containsExactly("/a", "/2", "/3", "/4");
    }
  }

  @Test
  void whatIsCoveredIsOfThatWhichWasHandedOn() throws Exception {
    append(0, "/a");
    try (FollowedLogs logs =
        new FollowedLogs(NameNodeLogs.Source.of(List.of(log()), List.of()), ZoneOffset.UTC)) {
      drain(logs);
      long last = logs.covered().lastMillis();
      append(100, "/b");
      await(logs, 2);
      assertThat(logs.covered().lastMillis()).isEqualTo(last);
      drain(logs);
      assertThat(logs.covered().lastMillis()).isEqualTo(last + 100_000);
    }
  }

  /** The reader waits for room with the last line, and that line counts, too. */
  @RepeatedTest(20)
  void nothingThatTheLogsHadIsLeftWhenTheyHaveCaughtUp() throws Exception {
    for (int second = 0; second < 5; second++) {
      append(second, "/" + second);
    }
    try (FollowedLogs logs =
        new FollowedLogs(
            NameNodeLogs.Source.of(List.of(log()), List.of()),
            ZoneOffset.UTC,
            new FollowedLogs.Bounds(1, 2, Long.MAX_VALUE))) {
      logs.drain(sink);
      awaitReaderWithoutRoom();
      while (!logs.isCaughtUp()) {
        logs.drain(sink);
      }
      assertThat(seen).containsExactly("/0", "/1", "/2", "/3", "/4");
    }
  }

  private static void awaitReaderWithoutRoom() throws InterruptedException {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            each ->
                each.getName().equals("audit-logs") && each.getState() == Thread.State.WAITING)) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void aFileThatMayHaveComeAndGoneWhileNobodyCountedIsAGap() throws Exception {
    for (int second = 0; second < 4; second++) {
      append(second, "/a");
    }
    long lateNanos = TimeUnit.MILLISECONDS.toNanos(100);
    try (FollowedLogs logs =
        new FollowedLogs(
            NameNodeLogs.Source.of(List.of(log()), List.of()),
            ZoneOffset.UTC,
            new FollowedLogs.Bounds(1, 1, lateNanos))) {
      // The first begins the reading, which then waits for room with the second or third.
      while (!logs.drain(sink)) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      for (int second = 10; second < 12; second++) {
        Files.move(log(), folder.resolve("hdfs-audit.log." + second));
        append(second, "/" + second);
      }
      TimeUnit.NANOSECONDS.sleep(5 * lateNanos);
      drain(logs);

      assertThat(seen).containsExactly("/a", "/a", "/a", "/a", "/11");
      assertThat(logs.covered().sinceMillis()).isEqualTo(logs.covered().lastMillis());
      assertThat(logs.covered().why()).contains("may be missing before");
    }
  }

  @Test
  void aLogThatCannotBeReadEndsTheCounting() throws Exception {
    Files.createDirectory(log());
    try (FollowedLogs logs =
        new FollowedLogs(NameNodeLogs.Source.of(List.of(log()), List.of()), ZoneOffset.UTC)) {
      OperatorException failure = null;
      while (failure == null) {
        try {
          logs.drain(sink);
          TimeUnit.MILLISECONDS.sleep(1);
        } catch (OperatorException e) {
          failure = e;
        }
      }
      assertThat(failure).hasMessageContaining("is a directory");
    }
  }
}
