package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.message.OperatorException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told and predicted of a catalog's applications. */
class ProfilesTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;
  private RunCatalog catalog;

  @BeforeEach
  void open() {
    catalog = RunCatalog.openOrMake(folder.resolve("profiles.db").toString());
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private Profiles with(RunCatalog.NamedRun... runs) {
    catalog.add(List.of(runs));
    return Profiles.of(catalog);
  }

  @Test
  void showsMeansOfRunsThatSucceededAndAllHosts() {
    Profiles profiles =
        with(
            Runs.run("sort", 1, GIB, 20),
            Runs.run("sort", 2, 3 * GIB, 40),
            Runs.run("sort", 3, 9 * GIB, 5, false));

    ProfileRow row = profiles.one("sort", null, catalog).applications().get(0);
    assertThat(row.runs()).isEqualTo(2);
    assertThat(row.failedRuns()).isEqualTo(1);
    assertThat(row.inputBytesMin()).isEqualTo(GIB);
    assertThat(row.inputBytesMax()).isEqualTo(3 * GIB);
    assertThat(row.seconds()).isCloseTo(30, within(1e-9));
    assertThat(row.lastRun()).isEqualTo("1970-01-04T00:00:00Z");
    assertThat(row.phases())
        .containsExactly(new ProfileRow.PhaseRow("map", 2, 30, 60, 2 * GIB, 214_748_365, GIB, 0));
    assertThat(row.hosts())
        .containsExactly(new ProfileRow.HostRow("n1", 3), new ProfileRow.HostRow("n2", 3));
    assertThat(profiles.all().applications().get(0).hosts()).isNull();
  }

  @Test
  void aLineThroughRunsPredictsTheNext() {
    Prediction prediction =
        with(
                Runs.run("sort", 1, GIB, 20),
                Runs.run("sort", 2, 2 * GIB, 31),
                Runs.run("sort", 3, 3 * GIB, 40))
            .find("sort", null)
            .predict(2 * GIB);

    assertThat(prediction.seconds().expected()).isCloseTo(30.33, within(0.01));
    assertThat(prediction.seconds().low()).isLessThan(30);
    assertThat(prediction.seconds().high()).isGreaterThan(31);
    Prediction.PhasePrediction map = prediction.phases().get(0);
    assertThat(map.readBytes().expected()).isCloseTo(2.0 * GIB, within(10.0));
    assertThat(map.spilledBytes().expected()).isCloseTo(GIB, within(10.0));
    assertThat(prediction.remarks()).isEmpty();
    assertThat(prediction.table().rows()).hasSize(7);
    assertThat(prediction.legend()).startsWith("From 3 runs; nine runs of ten are expected");
  }

  @Test
  void saysHowLittleItKnows() {
    Profiles profiles =
        with(
            Runs.run("one", 1, GIB, 20),
            Runs.run("two", 2, GIB, 20),
            Runs.run("two", 3, 2 * GIB, 20),
            Runs.run("same", 4, GIB, 20),
            Runs.run("same", 5, GIB, 22),
            Runs.run("none", 6, 0, 22),
            Runs.run("failed", 7, GIB, 22, false));

    assertThat(profiles.find("one", null).predict(GIB).remarks())
        .containsExactly("one run only: no interval, and figures are in proportion to its input");
    assertThat(profiles.find("one", null).predict(GIB).legend()).startsWith("From 1 run. Spilled");
    assertThat(profiles.find("two", null).predict(3 * GIB).remarks())
        .hasSize(2)
        .anyMatch(line -> line.startsWith("two runs only: no interval"))
        .anyMatch(line -> line.startsWith("3.0 GiB is not within what runs read, 1.0 GiB to 2.0"));
    assertThat(profiles.find("same", null).predict(GIB).remarks())
        .containsExactly("all 2 runs read the same: figures are in proportion to that, a guess");
    assertThat(profiles.find("none", null).predict(GIB).remarks())
        .containsExactly("its runs read no stored data: figures are means, whatever the input");
    assertThat(profiles.find("none", null).predict(GIB).seconds().expected()).isEqualTo(22);
    assertThatThrownBy(() -> profiles.find("failed", null).predict(GIB))
        .isInstanceOf(OperatorException.class)
        .hasMessage("no run of \"failed\" succeeded: there is nothing to predict from");
  }

  @Test
  void findsAnApplicationByTheNameOfARun() {
    Profiles profiles = with(Runs.run("etl #", 1, GIB, 20));

    assertThat(profiles.find("etl 2026-11-27", "mapreduce").key().application()).isEqualTo("etl #");
    assertThatThrownBy(() -> profiles.find("etl", null))
        .hasMessageStartingWith("no run of \"etl\" is in the catalog; did you mean \"etl #\"?");
    assertThatThrownBy(() -> profiles.find("etl #", "spark"))
        .isInstanceOf(OperatorException.class)
        .hasMessageEndingWith(
            " by spark is in the catalog, but another engine's are: change --engine");
  }
}
