package io.tierwise.hadoop.inspect.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.policies.popularity.WindowFeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogWindowsTest {
  @TempDir private Path folder;

  @Test
  void tellsEachWholeWindowWithTheFilesReadUntilThen() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("hdfs-audit.log"),
            AuditLogFilesTest.line(0, "/a")
                + AuditLogFilesTest.line(700, "/b")
                + AuditLogFilesTest.line(1_300, "/a")
                + AuditLogFilesTest.line(1_700, "/a")
                + AuditLogFilesTest.line(1_900, "/b"));
    List<Integer> begun = new ArrayList<>();
    List<String> heard = new ArrayList<>();
    LogWindows.read(
        new LogHeat.Wish(List.of(log), ZoneOffset.UTC, 600_000, null, 10),
        new WindowFeed.Listener() {
          @Override
          public void begins(int file, int formerReads) {
            begun.add(file);
          }

          @Override
          public void windowEnded(UseWindow window) {
            heard.add(
                window.endSeconds()
                    - window.startSeconds()
                    + " s: "
                    + (window.exists(0) ? window.reads(0) : "none")
                    + ", "
                    + (window.exists(1) ? window.reads(1) : "none"));
          }
        });

    assertThat(begun).containsExactly(0, 1);
    // The last window is cut by the log's end.
    assertThat(heard).containsExactly("600.0 s: 1, none", "600.0 s: 0, 1", "600.0 s: 2, 0");
  }
}
