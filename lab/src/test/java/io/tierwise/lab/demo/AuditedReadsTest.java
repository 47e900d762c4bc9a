package io.tierwise.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.popularity.UseWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines as a NameNode logs them. */
class AuditedReadsTest {
  private static final Logger NAMENODE =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private static final List<String> PATHS = List.of("/a", "/b", "/c");

  @TempDir private Path folder;

  private static void call(String command, String reader, String path) {
    NAMENODE.info(
        "allowed=true\tugi=hdfs (auth:SIMPLE)\tip=/"
            + reader
            + "\tcmd="
            + command
            + "\tsrc="
            + path
            + "\tdst=null\tperm=null\tproto=rpc");
  }

  @Test
  void readersOfAFileAreCountedByItsNumberAndOtherCallsAreNot() throws IOException {
    Instant before = Instant.now();
    try (AuditedReads audited = new AuditedReads(folder.resolve("audit.log"))) {
      call("open", "127.1.1.1", "/c");
      call("open", "127.1.1.2", "/c");
      call("open", "127.1.1.1", "/a");
      call("open", "127.1.1.1", "/elsewhere");
      call("getfileinfo", "127.1.1.1", "/b");

      UseWindow window = audited.window(before, before.plusSeconds(10), PATHS);

      assertThat(List.of(window.reads(0), window.reads(1), window.reads(2)))
          .containsExactly(1, 0, 2);
      assertThat(window.exists(1)).isTrue();
    }
  }

  @Test
  void readsBeforeTheTimeAreLeftOut() throws IOException {
    Instant later = Instant.now().plusSeconds(3_600);
    try (AuditedReads audited = new AuditedReads(folder.resolve("audit.log"))) {
      call("open", "127.1.1.1", "/a");

      assertThat(audited.window(later, later.plusSeconds(10), PATHS).reads(0)).isZero();
    }
  }
}
