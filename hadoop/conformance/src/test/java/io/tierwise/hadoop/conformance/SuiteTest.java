package io.tierwise.hadoop.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {

  private static final Path HOME =
      Path.of(System.getProperty("tierwise.root"), "hadoop", "conformance");

  @Test
  void everyClassOfTheSuiteIsPublishedAndSaysWhyItIsThere() throws Exception {
    Suite suite = Suite.load(HOME);
    assertThat(suite.classes()).hasSizeGreaterThanOrEqualTo(24);
    assertThat(suite.classes()).extracting(TestClass::name).doesNotHaveDuplicates();
    for (TestClass testClass : suite.classes()) {
      assertThatCode(() -> Class.forName(testClass.name(), false, getClass().getClassLoader()))
          .doesNotThrowAnyException();
      assertThat(testClass.why()).as(testClass.name()).hasSizeGreaterThan(10);
    }
  }

  @Test
  void everyAreaThatThePluginsCouldBreakIsCovered() throws Exception {
    assertThat(Suite.load(HOME).classes())
        .extracting(TestClass::area)
        .contains("placement", "storage policies", "mover", "balancer", "re-replication")
        .contains("decommission", "maintenance", "file creation", "append", "lease recovery")
        .contains("reads", "snapshots", "quotas", "extended attributes", "erasure coding")
        .contains("restart", "failover", "DataNode");
  }

  @Test
  void everyKnownFailureBelongsToAClassOfTheSuite() throws Exception {
    Suite suite = Suite.load(HOME);
    assertThat(suite.classes())
        .extracting(TestClass::name)
        .containsAll(suite.stockFailures().keySet())
        .containsAll(suite.differences().keySet())
        .containsAll(suite.decidingDifferences().keySet())
        .containsAll(suite.undecided());
  }

  @Test
  void onAnotherLineAFewOfTheSamePromisesAreChecked() throws Exception {
    Suite suite = Suite.load(HOME);
    Suite line = suite.onLine(HOME, "3.4.2");
    assertThat(line.classes()).hasSizeGreaterThanOrEqualTo(20).doesNotHaveDuplicates();
    assertThat(suite.classes()).containsAll(line.classes());
    assertThat(line.classes())
        .extracting(TestClass::area)
        .contains("placement", "storage policies", "re-replication", "decommission", "append")
        .contains("reads", "snapshots", "extended attributes", "failover", "DataNode");
    assertThat(line.differences()).isEqualTo(suite.differences());
  }

  @Test
  void aLineWithoutAListIsNamed(@TempDir Path home) throws Exception {
    Suite suite = suiteOf(home, "a.b.TestRead");
    assertThatThrownBy(() -> suite.onLine(home, "2.10.2"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("2.10.2")
        .hasMessageContaining("classes-2.10.tsv");
  }

  @Test
  void patternsChooseBySimpleNameFullNameOrGlob(@TempDir Path home) throws Exception {
    Suite suite = suiteOf(home, "a.b.TestRead", "a.b.TestReadMore", "a.c.TestWrite");
    assertThat(names(suite, "TestRead")).containsExactly("a.b.TestRead");
    assertThat(names(suite, "a.c.TestWrite")).containsExactly("a.c.TestWrite");
    assertThat(names(suite, "TestRead*")).containsExactly("a.b.TestRead", "a.b.TestReadMore");
    assertThat(names(suite, "TestRead*", "*")).hasSize(3).doesNotHaveDuplicates();
    assertThat(names(suite)).hasSize(3);
  }

  @Test
  void aFullNameOutsideTheSuiteIsTaken(@TempDir Path home) throws Exception {
    assertThat(names(suiteOf(home, "a.b.TestRead"), "x.y.TestOther"))
        .containsExactly("x.y.TestOther");
  }

  @Test
  void whereOurCodeDecidesMoreDifferencesAreKnown(@TempDir Path home) throws Exception {
    Suite suite = suiteOf(home, "a.b.TestRead", "a.b.TestReadMore", "a.c.TestWrite");
    assertThat(suite.knownCausesOf("a.b.TestRead", Side.INSTALLED).differences())
        .containsExactly("both()");
    assertThat(suite.knownCausesOf("a.b.TestRead", Side.DECIDING).differences())
        .containsExactlyInAnyOrder("both()", "deciding()");
    assertThat(suite.leavesOut("a.c.TestWrite", Side.DECIDING)).isTrue();
    assertThat(suite.leavesOut("a.c.TestWrite", Side.INSTALLED)).isFalse();
    assertThat(suite.leavesOut("a.b.TestRead", Side.DECIDING)).isFalse();
    assertThat(suite.undecided()).containsExactly("a.b.TestReadMore");
  }

  @Test
  void anUnknownSimpleNameIsNamed(@TempDir Path home) throws Exception {
    Suite suite = suiteOf(home, "a.b.TestRead");
    assertThatThrownBy(() -> suite.select(List.of("TestNothing")))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("TestNothing");
  }

  @Test
  void aRowWithTooFewColumnsIsNamed(@TempDir Path home) throws Exception {
    suiteOf(home, "a.b.TestRead");
    Files.writeString(home.resolve("classes.tsv"), "reads\ta.b.TestRead\n");
    assertThatThrownBy(() -> Suite.load(home))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("a.b.TestRead");
  }

  private static List<String> names(Suite suite, String... patterns) throws UsageException {
    return suite.select(List.of(patterns)).stream().map(TestClass::name).toList();
  }

  private static Suite suiteOf(Path home, String... names) throws Exception {
    StringBuilder rows = new StringBuilder("# area\tclass\tseconds\twhy\n");
    for (String name : names) {
      rows.append("area\t").append(name).append("\t1\twhy\n");
    }
    Files.writeString(home.resolve("classes.tsv"), rows);
    Files.writeString(home.resolve("known-stock-failures.tsv"), "");
    Files.writeString(home.resolve("known-differences.tsv"), "a.b.TestRead\tboth()\tcause\n");
    Files.writeString(
        home.resolve("known-differences-deciding.tsv"),
        "a.b.TestRead\tdeciding()\tcause\na.c.TestWrite\t*\tcause\n");
    Files.writeString(home.resolve("undecided.tsv"), "a.b.TestReadMore\twhy\n");
    return Suite.load(home);
  }
}
