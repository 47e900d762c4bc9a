package io.tierwise.simulator.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.history.TraceException;
import io.tierwise.simulator.workload.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** For any content of a file a reader returns jobs in order, or fails with one clear line. */
class TraceFuzzTest {
  private static final List<String> FORMATS = List.of("swim", "rumen", "jhist", "spark");
  private static final String SWIM =
      "job0\t1\t1\t2267942\t0\t1937944\tpathA\t\t\njob1\t2\t1\t20791\t12295\t1491\tpathB\t\t\n";

  /** Bytes of the events at the end of the binary sample. */
  private static final int EVENT_BYTES = 1_664;

  private static Path folder;

  @BeforeContainer
  static void makeFolder() throws IOException {
    folder = Files.createTempDirectory("fuzz");
  }

  @AfterContainer
  static void deleteFolder() throws IOException {
    Files.deleteIfExists(folder.resolve("trace"));
    Files.delete(folder);
  }

  @Property(tries = 500)
  void survivesRandomBytes(@ForAll byte[] bytes, @ForAll("formats") String format)
      throws IOException {
    readsOrSaysWhyNot(format, bytes);
  }

  @Property(tries = 1500)
  void survivesDamagedTraces(@ForAll("damaged") byte[] bytes, @ForAll("formats") String format)
      throws IOException {
    readsOrSaysWhyNot(format, bytes);
  }

  @Property(tries = 500)
  void survivesTracesThatAreCutOff(
      @ForAll("formats") String format, @ForAll boolean packed, @ForAll double share)
      throws IOException {
    byte[] whole = packed ? TraceText.gzip(sample(format)) : bytes(sample(format));
    int length = (int) (Math.abs(share % 1) * whole.length);
    readsOrSaysWhyNot(format, Arrays.copyOf(whole, length));
  }

  @Property(tries = 1500)
  void survivesDamagedBinaryHistories(
      @ForAll @IntRange(min = 0, max = 1_000_000) int where,
      @ForAll @IntRange(min = 1, max = 8) int length,
      @ForAll byte value,
      @ForAll @IntRange(min = 0, max = 2) int how)
      throws IOException {
    byte[] whole = TraceText.unpacked("history-binary.jhist.gz");
    // Most of the file is its schema: aim at the events behind it as often.
    int from = where % 2 == 0 ? where : whole.length - 1 - where % EVENT_BYTES;
    readsOrSaysWhyNot("jhist", damage(whole, from, length, value, how));
  }

  @Property(tries = 300)
  void survivesTextThatLooksLikeATrace(
      @ForAll("fragments") String text, @ForAll("formats") String format) throws IOException {
    readsOrSaysWhyNot(format, bytes(text));
  }

  private static void readsOrSaysWhyNot(String format, byte[] bytes) throws IOException {
    Path file = TraceText.file(folder, "trace", bytes);
    check(() -> TraceText.read(TraceText.spec(format, file)));
    check(() -> TraceText.read(TraceText.skipping(format, file)));
  }

  private interface Reading {
    List<JobSpec> read() throws IOException;
  }

  private static void check(Reading reading) throws IOException {
    try {
      List<JobSpec> jobs = reading.read();
      assertThat(jobs).isNotEmpty();
      assertThat(jobs.stream().map(JobSpec::submitSeconds).toList()).isSorted();
    } catch (TraceException e) {
      assertThat(e.getMessage()).startsWith(folder.toString()).doesNotContain("\n");
      assertThat(e.getMessage().length()).isLessThan(600);
    }
  }

  @Provide
  Arbitrary<String> formats() {
    return Arbitraries.of(FORMATS);
  }

  /** A good trace of some format with some bytes replaced, doubled or left out. */
  @Provide
  Arbitrary<byte[]> damaged() {
    Arbitrary<byte[]> whole =
        Combinators.combine(Arbitraries.of(FORMATS), Arbitraries.of(true, false))
            .as((format, pack) -> pack ? TraceText.gzip(sample(format)) : bytes(sample(format)));
    return Combinators.combine(
            whole,
            Arbitraries.integers().greaterOrEqual(0),
            Arbitraries.integers().between(1, 8),
            Arbitraries.bytes(),
            Arbitraries.integers().between(0, 2))
        .as(TraceFuzzTest::damage);
  }

  private static byte[] damage(byte[] whole, int where, int length, byte value, int how) {
    int from = where % whole.length;
    int to = Math.min(whole.length, from + length);
    byte[] bytes = whole.clone();
    if (how == 0) {
      Arrays.fill(bytes, from, to, value);
      return bytes;
    }
    byte[] result = new byte[how == 1 ? whole.length - (to - from) : whole.length + (to - from)];
    int resume = how == 1 ? to : from;
    System.arraycopy(bytes, 0, result, 0, how == 1 ? from : to);
    System.arraycopy(
        bytes, resume, result, result.length - (whole.length - resume), whole.length - resume);
    return result;
  }

  @Provide
  Arbitrary<String> fragments() {
    return Arbitraries.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "\"",
            "\n",
            "\t",
            "null",
            "1",
            "-1",
            "1e9",
            "true",
            "\"jobID\"",
            "\"submitTime\"",
            "\"mapTasks\"",
            "\"attempts\"",
            "\"Event\"",
            "\"SparkListenerJobStart\"",
            "\"Stage Infos\"",
            "\"Job ID\"",
            "\"event\"",
            "Avro-Json",
            "\"TaskFinished\"",
            "\"counters\"",
            "99999999999999999999",
            "\\",
            "\u0000",
            "ä")
        .list()
        .ofMaxSize(60)
        .map(parts -> String.join("", parts));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String sample(String format) {
    return switch (format) {
      case "swim" -> SWIM;
      case "rumen" -> TraceText.rumenJob("job_1", 1_000_000, 500, 60, 20);
      case "jhist" -> TraceText.history("job_9", 5_000_000, TraceText.HISTORY_END);
      default -> TraceText.sparkLog("app-1", 1_000);
    };
  }
}
