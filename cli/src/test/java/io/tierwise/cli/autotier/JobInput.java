package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.DFSTestUtil;

/**
 * The input of one job, in many files, of which nobody else reads any: what is popular comes for
 * other reasons, and is counted elsewhere.
 */
final class JobInput {
  static final int FILES = 40;
  static final long BYTES = (long) FILES * AuditedHdfs.BYTES;

  /** As the profile of the job's application has it. */
  static final long INTERMEDIATE_BYTES = FILES * WaitingYarn.INTERMEDIATE_BYTES;

  private final WaitingYarn yarn;
  private final List<String> paths = new ArrayList<>();

  JobInput(WaitingYarn yarn, String directory) throws IOException {
    this.yarn = yarn;
    for (int i = 0; i < FILES; i++) {
      String path = directory + "/" + i;
      yarn.hdfs().write(path, 1);
      paths.add(path);
    }
  }

  String[] paths() {
    return paths.toArray(String[]::new);
  }

  /** Its files that are on an SSD. */
  Set<String> onSsd() throws IOException {
    return yarn.onSsd(paths);
  }

  long bytesOnSsd() throws IOException {
    return (long) onSsd().size() * AuditedHdfs.BYTES;
  }

  /** What was written into each file. */
  static byte[] content() {
    return DFSTestUtil.calculateFileContentsFromSeed(AuditedHdfs.SEED, AuditedHdfs.BYTES);
  }

  /** Each file has its one replica, and the bytes that were written. To be asked at the end. */
  void assertWhole() throws Exception {
    byte[] written = content();
    for (String path : paths) {
      await(path + " has its one replica", () -> yarn.replicas(path) == 1);
      assertThat(DFSTestUtil.readFileAsBytes(yarn.hdfs().fs(), AuditedHdfs.hadoop(path)))
          .as(path)
          .isEqualTo(written);
    }
  }

  /** How the runs of a journal say why they move, each once. */
  static Set<String> reasons(Path folder) {
    Journal journal = new Journal(folder);
    Set<String> reasons = new TreeSet<>();
    for (String id : journal.runs()) {
      reasons.add(PastRun.read(journal, id).begin().to().replaceFirst(".* by ", ""));
    }
    return reasons;
  }
}
