package io.tierwise.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
  @BeforeEach
  void needsProc() {
    assumeThat(Files.exists(Path.of("/proc/self/stat"))).as("has /proc").isTrue();
  }

  @Test
  void tellsALivingProcessFromOneThatEnded() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    ProcessIdentity identity = ProcessIdentity.of(process.pid()).orElseThrow();
    assertThat(identity.isAlive()).isTrue();
    process.destroyForcibly().waitFor();
    assertThat(identity.isAlive()).isFalse();
  }

  @Test
  void isNotFooledByAnotherProcessWithTheSameId() {
    long self = ProcessHandle.current().pid();
    ProcessIdentity now = ProcessIdentity.of(self).orElseThrow();
    ProcessIdentity before = new ProcessIdentity(self, now.startTicks() - 1);
    assertThat(now.isAlive()).isTrue();
    assertThat(before.isAlive()).isFalse();
  }
}
