package io.tierwise.simulator.workload.generated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.workload.WorkloadException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationTableTest {
  private static final long MEBIBYTE = 1L << 20;
  private static final String ROW =
      """
      applications:
        a/b:
          source: a paper
          input: 10 GiB
          mapOutput: 1 MiB
          output: 3 KiB
          maps: 160
          reducers: 1
          mapCyclesPerByte: 40
          reduceCyclesPerByte: 1.5
      """;

  /** DerbyhatS, Table 3.1, as printed (MB). */
  @ParameterizedTest
  @CsvSource({
    "lsn/grep, 10240, 1, 1, 160, 1, 40, 10",
    "lsn/terasort, 10240, 10240, 10240, 160, 40, 40, 10",
    "lsn/join, 10240, 1024, 10, 160, 40, 400, 100",
    "lsn/aggregate, 10240, 100, 10, 160, 10, 40, 20",
    "lsn/inverted-index, 1024, 10240, 100, 40, 40, 40, 10",
    "lsn/pagerank, 1024, 10240, 1024, 40, 40, 100, 20",
    "lsn/compute, 1024, 10240, 100, 40, 40, 4000, 1000",
    "lsn/teragen, 0, 0, 10240, 40, 0, 10, 0",
  })
  void hasTheRowsOfTable31(
      String name, long in, long mapOut, long out, int maps, int reducers, double mc, double rc)
      throws WorkloadException {
    Application row = ApplicationTable.bundled().get(name);
    assertThat(row.inputBytes()).isEqualTo(in * MEBIBYTE);
    assertThat(row.mapOutputBytes()).isEqualTo(mapOut * MEBIBYTE);
    assertThat(row.outputBytes()).isEqualTo(out * MEBIBYTE);
    assertThat(row.mapCount()).isEqualTo(maps);
    assertThat(row.reduceCount()).isEqualTo(reducers);
    assertThat(row.mapCyclesPerByte()).isEqualTo(mc);
    assertThat(row.reduceCyclesPerByte()).isEqualTo(rc);
  }

  /**
   * MRPerf's release adds to the table's costs: 44 cycles a byte of map output; 6e9 a reducer, and
   * 1e9 for each time that it merges in memory, which it does at 66 MiB or 100 segments, and when
   * all is there.
   */
  @ParameterizedTest
  @CsvSource({
    "grep, 2",
    "teragen, 0",
    "terasort, 4",
    "join, 2",
    "aggregate, 2",
    "inverted-index, 4",
    "pagerank, 4",
    "small, 1",
    "summary, 2",
    "compute, 4",
  })
  void addsWhatMrperfSortsAndMergesToTable31(String name, int merges) throws WorkloadException {
    Application table = ApplicationTable.bundled().get("lsn/" + name);
    Application row = ApplicationTable.bundled().get("lsn-mrperf/" + name);
    double sorted =
        table.mapOutputBytes() == 0 ? 0 : 44.0 * table.mapOutputBytes() / table.inputBytes();
    double merged =
        merges == 0 ? 0 : (6 + merges) * 1e9 * table.reduceCount() / table.mapOutputBytes();

    assertThat(row.mapCyclesPerByte()).isCloseTo(table.mapCyclesPerByte() + sorted, within(0.005));
    assertThat(row.reduceCyclesPerByte())
        .isCloseTo(table.reduceCyclesPerByte() + merged, within(0.005));
    assertThat(row)
        .usingRecursiveComparison()
        .ignoringFields("name", "mapCyclesPerByte", "reduceCyclesPerByte", "assumed")
        .isEqualTo(table);
    assertThat(mergesInMemory(table)).isEqualTo(merges);
  }

  private static int mergesInMemory(Application row) {
    return row.mapOutputBytes() == 0
        ? 0
        : mergesInMemory(row.mapOutputBytes(), row.mapCount(), row.reduceCount());
  }

  private static int mergesInMemory(long mapOutputBytes, int maps, int reducers) {
    double segmentBytes = (double) mapOutputBytes / reducers / maps;
    double segments = Math.min(100, Math.ceil(66 * MEBIBYTE / segmentBytes));
    return (int) Math.ceil(maps / segments);
  }

  /**
   * The testbed's applications cost what Table 3.1 says, and TeraSort what MRPerf adds to it: none
   * of their figures is fitted to a measured one.
   */
  @Test
  void costsOnTheTestbedWhatTable31SaysAndMrperfAdds() throws WorkloadException {
    ApplicationTable table = ApplicationTable.bundled();
    for (String name : List.of("teragen", "grep")) {
      Application row = table.get("lsn-testbed/" + name);
      assertThat(row.mapCyclesPerByte()).isEqualTo(table.get("lsn/" + name).mapCyclesPerByte());
      assertThat(row.reduceCyclesPerByte())
          .isEqualTo(table.get("lsn/" + name).reduceCyclesPerByte());
    }
    Application sort = table.get("lsn-testbed/terasort");
    for (int nodes : new int[] {9, 10, 15, 21}) {
      int merges =
          mergesInMemory(
              nodes * sort.mapOutputBytes(), nodes * sort.mapCount(), nodes * sort.reduceCount());
      double merged = (6 + merges) * 1e9 * sort.reduceCount() / sort.mapOutputBytes();
      assertThat(sort.mapCyclesPerByte()).isEqualTo(40 + 44);
      assertThat(sort.reduceCyclesPerByte()).isCloseTo(10 + merged, within(0.005));
    }
  }

  /** Inputs and tasks of DerbyhatS, Tables 6.2, 7.3 and 8.2, as printed (MB). */
  @ParameterizedTest
  @CsvSource({
    "dux/wordcount, 12288, 102",
    "dux/sort, 3072, 64",
    "dux/nutchindex, 1536, 1",
    "phisched/wordcount, 6144, 102",
    "phisched/dfsioe-read, 8192, 128",
    "phisched/terasort, 15360, 249",
    "esched/wordcount, 6144, 120",
    "esched/sort, 6144, 120",
    "esched/terasort, 15360, 240",
    "hibench/terasort, 15360, 249",
  })
  void hasTheRowsOfTheHiBenchTables(String name, long in, int maps) throws WorkloadException {
    Application row = ApplicationTable.bundled().get(name);
    assertThat(row.inputBytes()).isEqualTo(in * MEBIBYTE);
    assertThat(row.mapCount()).isEqualTo(maps);
  }

  @Test
  void saysWhereEveryRowStandsAndWhatIsAssumed() {
    assertThat(ApplicationTable.bundled().all())
        .hasSizeGreaterThanOrEqualTo(60)
        .allSatisfy(row -> assertThat(row.source()).isNotBlank())
        .filteredOn(row -> !row.name().startsWith("lsn/"))
        .allSatisfy(
            row -> assertThat(row.assumed()).containsKey("mapCyclesPerByte, reduceCyclesPerByte"));
  }

  @Test
  void readsFractionsAndUnits() throws IOException {
    Application row = new ApplicationFile("f").read(ROW).get("a/b");
    assertThat(row.inputBytes()).isEqualTo(10L << 30);
    assertThat(row.outputBytes()).isEqualTo(3 << 10);
    assertThat(row.reduceCyclesPerByte()).isEqualTo(1.5);
  }

  @Test
  void readsHowPhasesFollowOneAnother() throws IOException {
    ApplicationFile file = new ApplicationFile("f");
    String series = ROW + "    phases: series\n  c:\n    sameAs: a/b\n";

    assertThat(file.read(ROW).get("a/b").phases()).isEqualTo(PhasePlan.MODEL);
    assertThat(file.read(series).get("a/b").phases()).isEqualTo(PhasePlan.SERIES);
    assertThat(file.read(series).get("c").phases()).isEqualTo(PhasePlan.SERIES);
    assertThat(file.read(ROW + "    phases: overlapped\n").get("a/b").phases())
        .isEqualTo(PhasePlan.OVERLAPPED);
    assertThatThrownBy(() -> file.read(ROW + "    phases: serial\n"))
        .hasMessage("f.a/b.phases: must be overlapped or series, is 'serial'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "input: 10 GiB|input: 10 GB|f.a/b.input: must be a whole number and one of B, KiB",
        "input: 10 GiB|input: -1 GiB|f.a/b.input: must be a whole number and one of",
        "input: 10 GiB|input: 10|f.a/b.input: must be a text, is '10'",
        "maps: 160|maps: many|f.a/b.maps: must be a whole number from 0 to 1000000, is 'many'",
        "maps: 160|maps: -1|f.a/b.maps: must be a whole number from 0",
        "maps: 160|map: 160|f.a/b.map: unknown key; allowed here: [input, mapCyclesPerByte",
        "maps: 160|maps: 1, x: 2|f: is not YAML",
        "reducers: 1|reducers: 0|f.a/b.reducers: is 0, but there is map output to reduce",
        "mapCyclesPerByte: 40|mapCyclesPerByte: .inf|f.a/b.mapCyclesPerByte: must be a number",
        "source: a paper|source: ''|f.a/b.source: must be a text",
        "a/b:|a/b: 5 #|f.a/b: must be a mapping, is '5'",
      })
  void namesThePlaceAndTheValueOfAMistake(String good, String bad, String problem) {
    String yaml = bad.endsWith("#") ? "applications:\n  " + bad + "\n" : ROW.replace(good, bad);
    assertThatThrownBy(() -> new ApplicationFile("f").read(yaml))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining(problem)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void refusesAMissingFigureAndAnUnknownOtherName() {
    assertThatThrownBy(() -> new ApplicationFile("f").read(ROW.replace("    maps: 160\n", "")))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("f.a/b.maps: is missing");
    assertThatThrownBy(() -> new ApplicationFile("f").read(ROW + "  c:\n    sameAs: d\n"))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("f.c.sameAs: 'd' is no application above this one");
  }

  @ParameterizedTest
  @CsvSource({
    "terasort, lsn/terasort",
    "lsn/terasrot, lsn/terasort",
    "hibench/sorts, hibench/sort"
  })
  void namesTheMostSimilarApplication(String asked, String similar) {
    assertThatThrownBy(() -> ApplicationTable.bundled().get(asked))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("application '" + asked + "' is not known; do you mean '" + similar + "'?");
  }
}
