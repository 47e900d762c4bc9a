package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import io.tierwise.history.HistoryFile;
import io.tierwise.history.HistoryLog;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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

  /** A file whose bytes are counted when they are read. */
  private record Counted(HistoryFile file, AtomicLong read) implements HistoryFile {
    @Override
    public String name() {
      return file.name();
    }

    @Override
    public long bytes() throws IOException {
      return file.bytes();
    }

    @Override
    public long changedMillis() throws IOException {
      return file.changedMillis();
    }

    @Override
    public InputStream open() throws IOException {
      return new FilterInputStream(file.open()) {
        @Override
        public int read() throws IOException {
          int one = super.read();
          read.addAndGet(one < 0 ? 0 : 1);
          return one;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
          int count = super.read(into, offset, length);
          read.addAndGet(Math.max(0, count));
          return count;
        }
      };
    }
  }

  /** The bytes that were read by an import of these files. */
  private long readBytes(ImportAnswer expected, HistoryFile... files) throws IOException {
    AtomicLong read = new AtomicLong();
    HistoryImport history = history(null);
    for (HistoryFile file : files) {
      history.read(HistoryLog.found(new Counted(file, read)));
    }
    assertThat(history.finish()).isEqualTo(expected);
    return read.get();
  }

  /** A history folder has a year's logs, and an hour's are new. */
  @Test
  void aLogThatWasImportedWholeIsNotReadAgain() throws IOException {
    HistoryFile one = file("a.jhist", JOB.formatted("job_1", "etl"));
    HistoryFile two = file("b.jhist", JOB.formatted("job_2", "etl"));

    assertThat(readBytes(new ImportAnswer(1, 0, 0, 0, 0), one)).isGreaterThan(one.bytes());
    assertThat(readBytes(new ImportAnswer(0, 1, 0, 0, 0), one)).isZero();
    assertThat(readBytes(new ImportAnswer(1, 1, 0, 0, 0), one, two))
        .isBetween(two.bytes(), 2 * two.bytes());

    catalog.close();
    open();
    assertThat(readBytes(new ImportAnswer(0, 2, 0, 0, 0), one, two)).isZero();
  }

  /** Of two logs one grows, and the other one is written anew with as many bytes. */
  @Test
  void aLogThatChangedIsReadAgain() throws IOException {
    String whole = JOB.formatted("job_1", "etl");
    HistoryFile one = file("a.jhist", whole);
    HistoryFile two = file("b.jhist", JOB.formatted("job_2", "etl"));
    readBytes(new ImportAnswer(2, 0, 0, 0, 0), one, two);

    file("a.jhist", whole + "\n");
    file("b.jhist", JOB.formatted("job_3", "etl"));
    Files.setLastModifiedTime(folder.resolve("b.jhist"), FileTime.fromMillis(1_000_000));

    assertThat(readBytes(new ImportAnswer(1, 1, 0, 0, 0), one, two)).isPositive();
  }

  /** It is refused, or left out, until its application has ended. */
  @Test
  void aLogOfARunningApplicationIsReadUntilItIsWhole() throws IOException {
    String whole = JOB.formatted("job_1", "etl");
    HistoryFile running = file("a.jhist", whole.substring(0, 400));
    long refused = readBytes(new ImportAnswer(0, 0, 0, 0, 1), running);
    assertThat(refused).isPositive();
    assertThat(readBytes(new ImportAnswer(0, 0, 0, 0, 1), running)).isEqualTo(refused);

    file("a.jhist", whole);
    assertThat(readBytes(new ImportAnswer(1, 0, 0, 0, 0), running)).isPositive();
    assertThat(readBytes(new ImportAnswer(0, 1, 0, 0, 0), running)).isZero();
  }

  /** Nothing half: a batch that is not added leaves its logs to the next import. */
  @Test
  void aLogWhoseRunWasNotAddedIsReadAgain() throws IOException {
    HistoryFile one = file("a.jhist", JOB.formatted("job_1", "etl"));
    history(null).read(HistoryLog.found(one));

    assertThat(readBytes(new ImportAnswer(1, 0, 0, 0, 0), one)).isPositive();
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
