package io.tierwise.hadoop.inspect.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of history. */
class JobHistoriesTest {
  private static final Path SAMPLE =
      Path.of(System.getProperty("tierwise.root"), "examples/advise/history");
  private static final String JOB = "job_1773500000000_0005";

  @TempDir private Path folder;

  private static byte[] sample(String name) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(SAMPLE.resolve(name)))) {
      return in.readAllBytes();
    }
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  @Test
  void aJobHasTheInputsOfItsConfigurationWhereverBothLie() throws IOException {
    write("2026/03/000000/" + JOB + "-1-ann.jhist", sample(JOB + ".jhist.gz"));
    write("2026/03/000000/" + JOB + "_conf.xml", sample(JOB + "_conf.xml.gz"));
    write("copy/" + JOB + "-1-ann.jhist", sample(JOB + ".jhist.gz"));
    write("readme.txt", new byte[] {'x'});
    JobHistories.Found found = JobHistories.read(folder);

    assertThat(found.runs()).extracting(RunRecord::id).containsExactly(JOB);
    assertThat(found.runs().get(0).inputs())
        .containsExactly("hdfs://shop:8020/warehouse/shop.db/customers");
    assertThat(found.problems()).isEmpty();
  }

  @Test
  void aFolderMayHaveAnyName() throws IOException {
    for (String name : List.of("my history", "100%", "a#b", "größe", "q?x=[y]")) {
      write(name + "/" + JOB + "-1-ann.jhist", sample(JOB + ".jhist.gz"));
      assertThat(JobHistories.read(folder.resolve(name)).runs()).as(name).hasSize(1);
    }
  }

  @Test
  void whatCannotBeUsedIsToldAndTheOthersAreRead() throws IOException {
    byte[] whole = sample(JOB + ".jhist.gz");
    write("whole.jhist", whole);
    write("cut.jhist", Arrays.copyOf(whole, whole.length / 2));
    write(
        "old.jhist",
        "Meta VERSION=\"1\" .\nJob JOBID=\"job_1\" .\n".getBytes(StandardCharsets.UTF_8));
    write("empty.jhist", new byte[0]);
    write("job_1_2_conf.xml", "<configuration>".getBytes(StandardCharsets.UTF_8));
    write("application_1_2.inprogress", "{\"Event\":".getBytes(StandardCharsets.UTF_8));
    JobHistories.Found found = JobHistories.read(folder);

    assertThat(found.runs()).hasSize(1);
    assertThat(found.unfinished()).isEqualTo(1);
    assertThat(found.refused()).isEqualTo(4);
    assertThat(found.problems())
        .allMatch(line -> line.lines().count() == 1)
        .anyMatch(line -> line.contains("cut.jhist") && line.contains("is not JSON"))
        .anyMatch(line -> line.contains("old.jhist") && line.contains("is of Hadoop 1"))
        .anyMatch(line -> line.contains("empty.jhist"))
        .anyMatch(line -> line.contains("job_1_2_conf.xml") && line.contains("no XML, or cut off"));
  }

  @Test
  void aFolderWithoutAJobIsRefusedInALine() throws IOException {
    assertRefused(folder.resolve("absent"), "absent is not there");
    assertRefused(folder, "has no job that ended: it is empty; name a copy of");
    write("a.txt", new byte[] {'x'});
    assertRefused(folder, "has no job that ended, but 1 file of another kind");
    write("old.jhist", "Meta VERSION=\"1\" .\n".getBytes(StandardCharsets.UTF_8));
    assertRefused(folder, "old.jhist: does not begin as a job history file does");
  }

  private static void assertRefused(Path folder, String text) {
    assertThatThrownBy(() -> JobHistories.read(folder))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining(text)
        .message()
        .hasLineCount(1);
  }

  @Test
  void theSampleIsWhole() throws IOException {
    JobHistories.Found found = JobHistories.read(SAMPLE);

    assertThat(found.problems()).isEmpty();
    assertThat(found.runs()).hasSize(85);
    assertThat(found.runs().stream().filter(run -> run.inputs().equals(List.of()))).hasSize(1);
  }
}
