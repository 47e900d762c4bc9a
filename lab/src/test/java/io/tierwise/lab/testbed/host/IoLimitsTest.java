package io.tierwise.lab.testbed.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IoLimitsTest {
  private static final int REMOVALS = 3_000;

  @TempDir private Path folder;

  @Test
  void groupsThatAreRemovedWhileTheyAreReadHaveNoProcesses() {
    Path root = folder.resolve("testbed");
    IoLimits limits = new IoLimits(root);
    CompletableFuture<Void> removals = CompletableFuture.runAsync(() -> comeAndGo(root));
    while (!removals.isDone()) {
      assertThat(limits.processes()).isSubsetOf(1L);
    }
    removals.join();
    assertThat(limits.groups()).isEmpty();
  }

  private static void comeAndGo(Path root) {
    Path group = root.resolve("r1n1");
    Path processes = group.resolve("cgroup.procs");
    try {
      for (int i = 0; i < REMOVALS; i++) {
        Files.createDirectories(group);
        Files.writeString(processes, "1\n");
        Files.delete(processes);
        Files.delete(group);
        Files.delete(root);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
