package io.tierwise.profiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.profiles.RunFigures.PhaseFigures;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** ASPS, Eq. 1 and 2, by hand. */
class IoRequirementTest {
  private static final long MIB = 1L << 20;
  private static final ApplicationKey KEY = new ApplicationKey("mapreduce", "sort");
  private static final int MAPS = 4;
  private static final int REDUCES = 2;

  private static PhaseFigures phase(
      String name, int tasks, double taskSeconds, long readBytes, long shuffledBytes) {
    return new PhaseFigures(
        name, tasks, taskSeconds / tasks, taskSeconds, readBytes, 0, 0, shuffledBytes);
  }

  /**
   * Four mappers of a split of 128 MiB each, which leave 64 MiB each for two reducers.
   *
   * @param mapSeconds of one mapper
   * @param reduceSeconds of one reducer after its shuffle, which takes ten times as long
   */
  private static RunFigures run(int configuration, double mapSeconds, double reduceSeconds) {
    return new RunFigures(
        KEY,
        configuration,
        true,
        0,
        99,
        List.of(
            phase("map", MAPS, MAPS * mapSeconds, MAPS * 128 * MIB, 0),
            phase("shuffle", REDUCES, REDUCES * 10 * reduceSeconds, 0, MAPS * 64 * MIB),
            phase("reduce", REDUCES, REDUCES * reduceSeconds, 0, 0)));
  }

  private static IoRequirement of(RunFigures... runs) {
    Profile profile = new Profile(KEY);
    for (RunFigures run : runs) {
      profile.add(run);
    }
    return profile.ioRequirement();
  }

  @Test
  void theDifferenceOfATasksTimesIsDividedByItsInput() {
    IoRequirement io = of(run(1, 16, 9), run(2, 10, 5));

    // T_m^h = 16 s, T_m^s = 10 s, B = 128 MiB.
    assertThat(io.mapSecondsPerByte().expected()).isCloseTo(6.0 / (128 * MIB), within(1e-18));
    // r = 2, T_r^h = 9 s, T_r^s = 5 s, D = 64 MiB, m = 4: 2 x 4 / (64 MiB x 4).
    assertThat(io.reduceSecondsPerByte().expected())
        .isCloseTo(2 * 4.0 / (64.0 * MIB * 4), within(1e-18));
    assertThat(io.mapSecondsPerByte().low()).isNull();
    assertThat(io.lines())
        .containsExactly(
            "r_m: fast devices save its tasks 48.0 s for each GiB that it reads, from 1 run in"
                + " Config-1 and 1 in Config-2",
            "r_r: fast devices save its tasks 32.0 s for each GiB that it gets of mappers, from 1"
                + " run in Config-1 and 1 in Config-2",
            "r_m and r_r are of one run in a configuration: nobody knows how far chance goes");
  }

  @Test
  void meansOverRunsHaveAnInterval() {
    IoRequirement io = of(run(1, 15, 9), run(1, 17, 9), run(2, 9, 5), run(2, 11, 5), run(0, 1, 1));

    double byMap = 128.0 * MIB;
    assertThat(io.mapSecondsPerByte().expected()).isCloseTo(6 / byMap, within(1e-18));
    // Variances of 2 s^2, two runs each: t(1) sqrt(2 / 2 + 2 / 2) = 6.314 sqrt(2).
    double half = 6.314 * Math.sqrt(2) / byMap;
    assertThat(io.mapSecondsPerByte().low()).isCloseTo(6 / byMap - half, within(1e-15));
    assertThat(io.mapSecondsPerByte().high()).isCloseTo(6 / byMap + half, within(1e-15));
    assertThat(io.slowRuns()).as("one that nobody placed is of no configuration").isEqualTo(2);
    assertThat(io.remarks()).isEmpty();
    assertThat(io.lines().get(0)).contains("48.0 s (-23.4 s to 119.4 s) for each GiB");
  }

  @Test
  void theIntervalIsThatOfTheConfigurationWithFewerRuns() {
    IoRequirement io = of(run(1, 14, 9), run(1, 16, 9), run(1, 18, 9), run(2, 9, 5), run(2, 11, 5));

    double byMap = 128.0 * MIB;
    // Variances of 4 s^2 and 2 s^2: t(1) sqrt(4 / 3 + 2 / 2), and not t(2).
    double half = 6.314 * Math.sqrt(4.0 / 3 + 1) / byMap;
    assertThat(io.mapSecondsPerByte().low()).isCloseTo(6 / byMap - half, within(1e-15));
    assertThat(io.mapSecondsPerByte().high()).isCloseTo(6 / byMap + half, within(1e-15));
  }

  @Test
  void anApplicationThatWasSlowerOnFastDevicesIsBelowZero() {
    assertThat(of(run(1, 10, 9), run(2, 16, 9)).mapSecondsPerByte().expected()).isNegative();
    assertThat(of(run(1, 10, 9), run(2, 16, 9)).reduceSecondsPerByte().expected()).isZero();
  }

  @Test
  void whatIsMissingIsSaid() {
    RunFigures failed = new RunFigures(KEY, 2, false, 0, 9, run(2, 1, 1).phases());

    assertThat(of(run(0, 16, 9)).lines()).as("most applications").isEmpty();
    assertThat(of(run(0, 16, 9)).remarks())
        .containsExactly(
            "r_m and r_r need runs in Config-1 and in Config-2, and there are none: 'tierwise"
                + " profile run' makes them");
    assertThat(of(run(1, 16, 9), failed).lines().get(0)).contains("there are none in Config-2");
    assertThat(of(run(2, 16, 9), run(3, 9, 9)).lines().get(0)).contains("are none in Config-1");
    assertThat(of(run(1, 16, 9)).mapSecondsPerByte()).isNull();
  }

  @Test
  void aJobWithoutReducersHasNoReduceRequirementAndOneThatReadsNothingNoneOfMappers() {
    List<RunFigures> mapOnly = new ArrayList<>();
    List<RunFigures> reading = new ArrayList<>();
    for (int configuration = 1; configuration <= 2; configuration++) {
      PhaseFigures map = phase("map", MAPS, 40, MAPS * MIB, 0);
      mapOnly.add(new RunFigures(KEY, configuration, true, 0, 9, List.of(map)));
      PhaseFigures nothing = phase("map", MAPS, 40, 0, 0);
      reading.add(new RunFigures(KEY, configuration, true, 0, 9, List.of(nothing)));
    }

    IoRequirement none = of(mapOnly.toArray(RunFigures[]::new));
    assertThat(none.mapSecondsPerByte().expected()).isZero();
    assertThat(none.reduceSecondsPerByte()).isNull();
    assertThat(none.remarks()).contains("no reducer of it got input: there is no r_r");
    assertThat(of(reading.toArray(RunFigures[]::new)).remarks())
        .contains("its mappers read no stored data: there is no r_m");
  }

  @Property(tries = 300)
  void whatTasksComputeFallsOut(
      @ForAll @DoubleRange(min = 0, max = 1_000) double computed,
      @ForAll @DoubleRange(min = 0, max = 100) double slow,
      @ForAll @DoubleRange(min = 0, max = 100) double fast) {
    double alone = of(run(1, slow, 9), run(2, fast, 9)).mapSecondsPerByte().expected();
    double both =
        of(run(1, computed + slow, 9), run(2, computed + fast, 9)).mapSecondsPerByte().expected();

    assertThat(both).isCloseTo(alone, within(1e-12 * (1 + computed)));
  }
}
