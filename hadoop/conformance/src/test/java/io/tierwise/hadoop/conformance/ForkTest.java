package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.conformance.sample.BrokenSetUpSample;
import io.tierwise.hadoop.conformance.sample.HaltingSample;
import io.tierwise.hadoop.conformance.sample.HangingSample;
import io.tierwise.hadoop.conformance.sample.JUnit4Sample;
import io.tierwise.hadoop.conformance.sample.MixedSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On real JVMs, with test classes that misbehave in known ways. */
class ForkTest {

  private static final int PATIENCE_SECONDS = 300;

  @TempDir Path build;
  private Workspace workspace;

  @BeforeEach
  void prepare() throws Exception {
    Path home = Path.of(System.getProperty("tierwise.root"), "hadoop", "conformance");
    List<Path> jars =
        Workspace.pathsIn(System.getProperty("java.class.path")).stream()
            .filter(path -> !path.getFileName().toString().startsWith("hadoop-"))
            .toList();
    Plugins plugins = new Plugins(Files.createDirectory(build.resolve("plugins")), false);
    workspace = Workspace.prepare(home, build, jars, List.of(), Optional.of(plugins));
  }

  @Test
  void everyKindOfOutcomeIsTold() throws Exception {
    ClassRun run = run(MixedSample.class, Side.STOCK);
    assertThat(run.end()).isEqualTo(ClassRun.End.FINISHED);
    assertThat(run.outcomeOf("passes()")).isEqualTo(Outcome.PASSED);
    assertThat(run.outcomeOf("fails()")).isEqualTo(Outcome.FAILED);
    assertThat(run.results().get("fails()").headline()).contains("on purpose");
    assertThat(run.outcomeOf("isDisabled()")).isEqualTo(Outcome.SKIPPED);
    assertThat(run.outcomeOf("assumesInVain()")).isEqualTo(Outcome.SKIPPED);
    assertThat(run.outcomeOf("isNotThere()")).isEqualTo(Outcome.MISSING);
    assertThat(run.outcomeOf("variants(int)/#2")).isEqualTo(Outcome.PASSED);
  }

  @Test
  void testsOfJUnit4AreNamedAsJupiterNamesThem() throws Exception {
    ClassRun run = run(JUnit4Sample.class, Side.STOCK);
    assertThat(run.outcomeOf("passes()")).isEqualTo(Outcome.PASSED);
    assertThat(run.outcomeOf("fails()")).isEqualTo(Outcome.FAILED);
    assertThat(run.outcomeOf("isIgnored()")).isEqualTo(Outcome.SKIPPED);
    assertThat(run.results()).hasSize(3);
  }

  @Test
  void aHungClassIsKilledAndTellsWhatPassedAndWhereItHung() throws Exception {
    ClassRun run = run(HangingSample.class, Side.STOCK, 10);
    // A busy machine may need longer than that to get to the first test.
    for (int seconds = 20; run.outcomeOf("secondHangs()") == Outcome.MISSING; seconds *= 2) {
      assertThat(seconds).as("seconds until the second test began").isLessThan(300);
      run = run(HangingSample.class, Side.STOCK, seconds);
    }
    assertThat(run.end()).isEqualTo(ClassRun.End.TIMED_OUT);
    assertThat(run.outcomeOf("first()")).isEqualTo(Outcome.PASSED);
    assertThat(run.outcomeOf("secondHangs()")).isEqualTo(Outcome.FAILED);
    Path folder = workspace.runFolder(Side.STOCK, "HangingSample", 1);
    assertThat(Files.readString(folder.resolve("threads.txt"))).contains("secondHangs");
  }

  @Test
  void aJvmThatEndsEarlyHasCrashed() throws Exception {
    ClassRun run = run(HaltingSample.class, Side.STOCK);
    assertThat(run.end()).isEqualTo(ClassRun.End.CRASHED);
    assertThat(run.outcomeOf("halts()")).isEqualTo(Outcome.FAILED);
  }

  @Test
  void aBrokenSetUpOfTheClassIsAFailureOfTheClass() throws Exception {
    ClassRun run = run(BrokenSetUpSample.class, Side.STOCK);
    assertThat(run.outcomeOf(OutcomeRecorder.CLASS_ITSELF)).isEqualTo(Outcome.FAILED);
    assertThat(run.count(Outcome.PASSED)).isZero();
  }

  @Test
  void aClassThatIsNotThereRanNoTest() throws Exception {
    TestClass missing = new TestClass("area", "no.such.TestClass", 1, "it is not there");
    ClassRun run = new Fork(workspace, PATIENCE_SECONDS, false).run(missing, Side.STOCK, 1);
    assertThat(run.count(Outcome.PASSED)).isZero();
  }

  @Test
  void ourWarningsAreFoundInTheLog() throws Exception {
    ClassRun run = run(MixedSample.class, Side.INSTALLED);
    assertThat(run.pluginWarnings())
        .containsExactly("WARN io.tierwise.hadoop.hdfs.Sample: falling back to stock");
    assertThat(run.pluginClasses()).isEmpty();
  }

  @Test
  void decisionsAreCountedWhereOurCodeIsToDecide() throws Exception {
    assertThat(run(MixedSample.class, Side.DECIDING).decisions())
        .containsExactly(Map.entry("placement", 2L), Map.entry("read", 1L));
    assertThat(run(MixedSample.class, Side.INSTALLED).decisions()).isEmpty();
  }

  @Test
  void aRunCanBeReadBack() throws Exception {
    ClassRun run = run(MixedSample.class, Side.STOCK);
    assertThat(RunFile.read(workspace.runFolder(Side.STOCK, "MixedSample", 1))).contains(run);
  }

  private ClassRun run(Class<?> sample, Side side) throws Exception {
    return run(sample, side, PATIENCE_SECONDS);
  }

  private ClassRun run(Class<?> sample, Side side, int timeoutSeconds) throws Exception {
    TestClass testClass = new TestClass("area", sample.getName(), 1, "a sample of this test");
    return new Fork(workspace, timeoutSeconds, false).run(testClass, side, 1);
  }
}
