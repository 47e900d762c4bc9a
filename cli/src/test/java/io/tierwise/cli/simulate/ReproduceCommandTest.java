package io.tierwise.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tierwise.cli.ExitCode;
import io.tierwise.cli.TierwiseCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ReproduceCommandTest {
  private static final String ROW = "figure: Fig. 1, case: one disk, metric: read time";

  @TempDir private Path project;
  private Path paper;
  private Path page;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeAPaper() throws IOException {
    paper = Files.createDirectories(project.resolve("reproductions/disk"));
    page = project.resolve("reproductions/reproductions.md");
    Files.writeString(
        paper.resolve("one.yaml"),
        """
        nodes: {n: {link: 10 Gbps, volumes: [{device: d}]}}
        devices: {d: {read: 100 MB/s, write: 100 MB/s}}
        cluster: {racks: [{nodes: [n]}]}
        policies: {replication: 1}
        model: {job-start: 0 s, task-start: 0 s}
        workload: {dfsio: {tasks: 1, file: 1 GB, write: false}}
        """);
    expect("10");
    Files.writeString(
        paper.resolve("runs.yaml"),
        """
        runs: [{name: one, scenario: one.yaml}]
        rows: [{%s, ours: "[one makespan_seconds]", cause: the disk}]
        """
            .formatted(ROW));
    Files.writeString(
        paper.resolve("tolerance.yaml"),
        "[{relative: 0.01, reason: arithmetic, rows: [{%s}]}]".formatted(ROW));
  }

  private void expect(String value) throws IOException {
    Files.writeString(
        paper.resolve("expected.csv"),
        "figure,case,metric,value,unit,where\nFig. 1,one disk,read time,"
            + value
            + ",s,\"1, here\"\n");
  }

  private int run(String... more) {
    CommandLine line = TierwiseCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    String[] arguments = new String[more.length + 3];
    arguments[0] = "reproduce";
    arguments[1] = "--folder";
    arguments[2] = project.resolve("reproductions").toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return line.execute(arguments);
  }

  @Test
  void oneRowStandsForOneAMember() throws IOException {
    Files.writeString(
        paper.resolve("expected.csv"),
        """
        figure,case,metric,value,unit,where
        Fig. 1,one disk,read time,10,s,here
        Fig. 1,two disks,read time,5,s,here
        """);
    Files.writeString(
        paper.resolve("runs.yaml"),
        """
        sets: {disks: {one disk: 1, two disks: 2}}
        runs: [{name: one, scenario: one.yaml}]
        rows:
          - {figure: Fig. 1, case: "{disks}", metric: read time, ours: "[one makespan_seconds] / {disks:value}"}
        """);
    Files.writeString(
        paper.resolve("tolerance.yaml"),
        """
        - relative: 0.01
          reason: arithmetic
          rows: [{figure: Fig. 1, case: "{disks}", metric: read time}]
        """);
    assertThat(run()).as(err.toString()).isZero();
    assertThat(out.toString()).contains("2 of 2 printed numbers reproduce");
  }

  @Test
  void oursIsWrittenBesideThePaper() throws IOException {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("1 of 1 printed numbers reproduce");
    assertThat(paper.resolve("ours.csv"))
        .content()
        .contains("Fig. 1,one disk,read time,10.0")
        .endsWith(",s,reproduces\n");
    assertThat(page).content().contains("| 10 | 10");
  }

  /** A user who names a folder does not mean the one above it. */
  @Test
  void nothingIsWrittenOutsideTheFolderThatWasNamed() throws IOException {
    assertThat(run()).as(err.toString()).isZero();

    try (Stream<Path> there = Files.list(project)) {
      assertThat(there).containsExactly(project.resolve("reproductions"));
    }
  }

  /** As in a checkout that another user owns: hours of runs would be lost. */
  @Test
  void resultsThatCannotBeWrittenAreToldBeforeAnyRun() throws IOException {
    Files.createDirectory(page);

    assertThat(run()).isEqualTo(ExitCode.CLUSTER);
    assertThat(err.toString())
        .contains("reproductions.md cannot be written")
        .contains("--no-write");
    assertThat(out.toString()).isEmpty();
    assertThat(run("--no-write")).isZero();
  }

  @Test
  void aMissIsAResultAndAnErrorOnlyWhenStrict() throws IOException {
    expect("11");
    assertThat(run()).isZero();
    assertThat(run("--strict")).isEqualTo(1);
    assertThat(out.toString()).contains("does not reproduce");
    assertThat(page)
        .content()
        .contains("**does not reproduce**")
        .contains("- Fig. 1, one disk, read time: the disk");
  }

  @Test
  void aPageKeepsWhatIsNotOursToWrite() throws IOException {
    run();
    Files.writeString(page, "before\n" + Files.readString(page) + "after\n");
    expect("<= 12");
    run();
    assertThat(page).content().startsWith("before\n").endsWith("after\n").contains("| <= 12 |");
    assertThat(Files.readString(page)).containsOnlyOnce("## disk");
  }

  @Test
  void aRowWhoseTraceIsMissingKeepsTheNumberThatItHad() throws IOException {
    assumeTrue(System.getenv("TIERWISE_TRACES") == null, "TIERWISE_TRACES names traces");
    run();
    String plan = Files.readString(paper.resolve("runs.yaml"));
    Files.writeString(
        paper.resolve("runs.yaml"), plan.replace("one.yaml}", "one.yaml, set: ['name={data}']}"));
    expect("12");
    assertThat(run()).isZero();
    assertThat(run("--strict")).as("what could not be checked").isEqualTo(1);
    assertThat(out.toString()).contains("0 of 0 printed numbers reproduce, 1 were not run");
    assertThat(paper.resolve("ours.csv")).content().contains("read time,10.0");
    assertThat(page).content().contains("| 12 | 10").contains("**does not reproduce**");
  }

  @Test
  void aChangedSettingWritesNothing() {
    assertThat(run("--set", "devices.d.read=50 MB/s")).isZero();
    assertThat(out.toString()).contains("does not reproduce");
    assertThat(paper.resolve("ours.csv")).doesNotExist();
  }

  @Test
  void badInputIsOneLineAndExitCodeTwo() throws IOException {
    assertThat(run("disc")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines(
            "tierwise reproduce: no reproduction is named disc;" + " there are: disk");
    assertThat(run("--figure", "Fig. 11", "--dry-run")).isEqualTo(2);
    assertThat(err.toString()).contains("--figure Fig. 11: no row's figure, case or metric");
    expect("ten");
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("is no number: ten");
  }

  @Test
  void aFolderOfTracesThatIsNoneIsAnErrorEvenWhenNothingWouldRun() {
    assertThat(run("--data", "/nope")).isEqualTo(2);
    assertThat(run("--dry-run", "--data", "/nope")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsOnly("tierwise reproduce: --data /nope is no directory")
        .hasSize(2);
    assertThat(run("--data", project.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("has no folder 'swim'");
  }

  @Test
  void aDryRunChecksWhatTheRunWouldRefuse() {
    for (String[] bad :
        new String[][] {
          {"--threads", "0"}, {"--set", "no.such.key=1"}, {"--set", "seed"}, {"--set", "seed=one"}
        }) {
      err.getBuffer().setLength(0);
      assertThat(run(bad)).as(String.join(" ", bad)).isEqualTo(2);
      String refusal = err.toString();
      assertThat(refusal.lines()).as(refusal).hasSize(1);
      assertThat(refusal).contains(bad[0]);
      err.getBuffer().setLength(0);
      assertThat(run(bad[0], bad[1], "--dry-run")).as(String.join(" ", bad)).isEqualTo(2);
      assertThat(err.toString()).isEqualTo(refusal);
    }
    assertThat(run("--threads", "2", "--set", "seed=7", "--dry-run")).as(err.toString()).isZero();
  }

  @Test
  void aFigureThatARunLacksIsToldBeforeAnyRun() throws IOException {
    Path plan = paper.resolve("runs.yaml");
    Files.writeString(
        plan, Files.readString(plan).replace("makespan_seconds", "read_share_of_tier_ssd"));

    for (String[] options : new String[][] {{"--dry-run"}, {}}) {
      err.getBuffer().setLength(0);
      assertThat(run(options)).isEqualTo(2);
      assertThat(err.toString().lines()).hasSize(1);
      assertThat(err.toString())
          .contains("Fig. 1 | one disk | read time: run one has no figure read_share_of_tier_ssd");
    }
  }

  @Test
  void papersWithoutTheFigureAreLeftOutAndNoneIsThereTwice() throws IOException {
    Path other = Files.createDirectories(project.resolve("reproductions/other"));
    Files.copy(paper.resolve("one.yaml"), other.resolve("one.yaml"));
    for (String file : new String[] {"runs.yaml", "tolerance.yaml", "expected.csv"}) {
      String text = Files.readString(paper.resolve(file));
      Files.writeString(other.resolve(file), text.replace("Fig. 1", "Fig. 2"));
    }

    assertThat(run("--figure", "Fig. 1")).as(err.toString()).isZero();
    assertThat(run("disk", "disk", "--no-write")).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("disk: "))).hasSize(2);
    assertThat(out.toString()).doesNotContain("other: ");
  }

  @Test
  void aPrintedNumberWithoutAFormulaIsRefused() throws IOException {
    Files.writeString(paper.resolve("runs.yaml"), "runs: []\nrows: []\n");
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("nothing for Fig. 1 | one disk | read time");
  }

  @Test
  void aNumberThatThePaperDoesNotHaveStandsBesideIt() throws IOException {
    String plan = Files.readString(paper.resolve("runs.yaml"));
    String row =
        "{figure: %s, case: idle, metric: read time, unit: s, ours: \"[one makespan_seconds] * 0 +"
            + " %s\"}";
    Files.writeString(
        paper.resolve("runs.yaml"),
        plan
            + "beside: ["
            + row.formatted("Fig. 1", 7)
            + ", "
            + row.formatted("Fig. 2", 8)
            + "]\n");
    assertThat(run("--strict")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("1 of 1 printed numbers reproduce")
        .containsPattern("Fig. 1 +idle +read time +- +7.000 +s +not in the paper");
    assertThat(paper.resolve("ours.csv"))
        .content()
        .containsPattern(
            "one disk.*reproduces\nFig. 1,idle,read time,7.0.*not in the paper\nFig. 2");
    assertThat(page)
        .content()
        .contains("| Fig. 2 | idle | read time | s | - | 8.000 | - | not in the paper |");
    assertThat(run("--dry-run")).isZero();
    assertThat(out.toString()).contains("disk: 1 printed numbers");

    Files.writeString(
        paper.resolve("runs.yaml"), plan + "beside: [{" + ROW + ", unit: s, ours: \"1\"}]\n");
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("Fig. 1 | one disk | read time, which the paper prints");
  }
}
