package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalRun;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Files that a flush cannot give another layout, which keep no other in a full tier. Long:
 * ChangesInARowIT has such a path in make test.
 */
@Tag("long")
class FlushRefusedIT extends FlushCluster {
  /** HDFS lets a file have 32 attributes, and a layout comes with two. */
  @Test
  void aFileThatTakesNoAttributeIsLeftOutAndTheOthersLeave() throws IOException {
    start(1 << 30);
    cluster.setPolicy("/t", "layout:1 x ssd + 2 x disk");
    write("/t", 38, 3);
    LiveCluster.fillAttributes(cluster.fs(), new Path("/t/f00"), 31);
    TierFlush flush = flush();
    int count = flush.paths().size();
    assertThat(flush.paths()).startsWith("/t/f00");

    JournalRun run =
        new Journal(folder).begin("flush", "me", "hdfs://here", List.of("/"), "", null);
    try (run;
        Mover mover = Mover.open(cluster.cluster(), flush.settings()).writingTo(run)) {
      MoverReport report = flush.job().run(mover, run, Listener.Step.SILENT);
      assertThat(report.moved().replicas()).isEqualTo(count - 1);
    }

    assertThat(flush.job().changes()).isEqualTo(count - 1);
    assertThat(flush.isOvertaken()).as("the file keeps its room").isTrue();
    assertThat(flush.leftOut())
        .singleElement()
        .asString()
        .startsWith("1 file of the plan left out: ")
        .contains("would exceed limit of 32", "for example /t/f00");
    assertThat(cluster.fs().getXAttrs(new Path("/t/f00"))).hasSize(31);
    assertThat(types("/t/f00")).isEqualTo("DISK DISK SSD");
    assertThat(types("/t/f01")).isEqualTo("DISK DISK DISK");
  }
}
