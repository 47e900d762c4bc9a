package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs that become runs of a catalog, and those that do not. */
class HistoryImportTest {
  private static final String JOB =
      """
      Avro-Json
      {"type":"record","name":"Event","fields":[]}
      {"type":"JOB_SUBMITTED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobSubmitted":\
      {"jobid":"%s","jobName":"%s","submitTime":5000,"later":{"x":[1]}}}}
      {"type":"OF_LATER_VERSION","event":{"org.apache.hadoop.mapreduce.jobhistory.Later":{"y":1}}}
      {"type":"JOB_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobFinished":\
      {"finishTime":9000}}}
      """;

  @TempDir private Path folder;
  private final List<String> said = new ArrayList<>();
  private RunCatalog catalog;

  @BeforeEach
  void open() {
    catalog = RunCatalog.openOrMake(folder.resolve("profiles.db").toString());
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private HistoryFile file(String name, String text) throws IOException {
    return HistoryFile.of(Files.writeString(folder.resolve(name), text));
  }

  private HistoryImport history(String application) {
    return new HistoryImport(catalog, application, said::add);
  }

  private List<String> applications() {
    return Profiles.of(catalog).all().applications().stream().map(ProfileRow::application).toList();
  }

  @Test
  void leavesOutWhatCannotBeUsedAndAddsTheRest() throws IOException {
    String whole = JOB.formatted("job_1", "etl 2026-11-27");
    HistoryImport history = history(null);
    history.read(HistoryLog.found(file("a.jhist", whole)));
    history.read(HistoryLog.found(file("b.jhist", whole.substring(0, 400))));
    history.read(HistoryLog.found(file("a_conf.xml", "<configuration/>")));
    history.read(HistoryLog.found(file("app-1.inprogress", "{\"Event\":\"X\"}")));
    history.read(HistoryLog.found(file("huge.jhist", whole.replace("9000", "9".repeat(40)))));
    history.read(HistoryLog.named(file("notes.txt", "hello")));

    assertThat(history.finish()).isEqualTo(new ImportAnswer(1, 0, 1, 1, 3));
    assertThat(applications()).containsExactly("etl #");
    assertThat(said).hasSize(3).allMatch(line -> line.lines().count() == 1);
    assertThat(said.get(0)).contains("b.jhist:5: is not JSON (Unexpected end-of-input");
    assertThat(said.get(1)).contains("finishTime is '9999999999");
    assertThat(said.get(2))
        .endsWith("notes.txt: is neither a job history file nor a Spark event log");
  }

  @Test
  void theSameAgainChangesNothing() throws IOException {
    HistoryFile file = file("a.jhist", JOB.formatted("job_1", "etl"));
    for (ImportAnswer expected :
        List.of(new ImportAnswer(1, 1, 0, 0, 0), new ImportAnswer(0, 2, 0, 0, 0))) {
      HistoryImport history = history(null);
      history.read(HistoryLog.found(file));
      history.read(HistoryLog.named(file));
      assertThat(history.finish()).isEqualTo(expected);
    }
  }

  @Test
  void anApplicationMayBeGivenANameOfItsOwn() throws IOException {
    HistoryImport history = history("nightly");
    history.read(HistoryLog.named(file("a.jhist", JOB.formatted("job_1", "a"))));
    history.read(HistoryLog.named(file("b.jhist", JOB.formatted("job_2", "b"))));
    history.finish();

    assertThat(applications()).containsExactly("nightly");
  }

  @Test
  void namesWithNewlinesMakeOneLine() throws IOException {
    HistoryImport history = history(null);
    history.read(HistoryLog.named(file("a.jhist", JOB.formatted("job_1", "in\\n\\tsert\\u001b"))));
    history.finish();

    assertThat(applications()).containsExactly("in sert?");
  }

  @Test
  void saysWhenNothingThereIsHistory() throws IOException {
    HistoryImport history = history(null);
    history.read(HistoryLog.found(file("a.txt", "hello")));

    assertThatThrownBy(history::finish)
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("no job history and no event log is there, of 1 file: name a file");
  }

  @Test
  void tellsTheFirstOfManyThatCannotBeUsed() throws IOException {
    HistoryImport history = history(null);
    HistoryLog bad = HistoryLog.named(file("bad", "hello"));
    for (int i = 0; i < 1000; i++) {
      history.read(bad);
    }

    assertThat(history.finish().refused()).isEqualTo(1000);
    assertThat(said).hasSize(11);
  }
}
