package io.tierwise.cli.autotier;

import static io.tierwise.cli.autotier.DaemonThread.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.mover.journal.Journal;
import io.tierwise.hadoop.mover.journal.JournalEntry;
import io.tierwise.hadoop.mover.journal.PastRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
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

  /** Its files of which a journal says that they were to come, each as often as it says so. */
  static List<String> journaled(Path folder, String tier) {
    return journaled(folder, tier, List.of());
  }

  /** The same without some of the journal's runs. */
  static List<String> journaled(Path folder, String tier, Collection<String> without) {
    Journal journal = new Journal(folder);
    List<String> runs = new ArrayList<>(journal.runs());
    runs.removeAll(without);
    List<String> files = new ArrayList<>();
    for (String id : runs) {
      PastRun.read(journal, id)
          .read(
              step -> {
                if (step.entry() instanceof JournalEntry.Moving move
                    && tier.equals(move.to().tier())) {
                  files.add(move.file());
                }
              });
    }
    return files;
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
