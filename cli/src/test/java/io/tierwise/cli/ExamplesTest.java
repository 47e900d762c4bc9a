package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tierwise.hadoop.hdfs.tiers.PathRule;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.lab.dfsio.DfsioWorker;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.popularity.DecisionTrees;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.scheduling.SchedulingPolicies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configurations that the documentation shows are read by the code that will read them. */
class ExamplesTest {
  private static final Path DOCS = CommandReferenceTest.projectFolder().resolve("docs");

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }

  private static void check(String yaml, String source) {
    TierConfiguration tiers = TierConfiguration.parse(yaml, source);
    for (PathRule rule : tiers.rules()) {
      if (rule.placement() != null) {
        PlacementPolicies.parse(rule.placement(), tiers.table(), tiers.layouts());
      }
      if (rule.access() != null) {
        AccessStrategies.parse(rule.access());
      }
    }
    for (String layout : tiers.layouts().keySet()) {
      PlacementPolicies.parse("layout:" + layout, tiers.table(), tiers.layouts());
    }
  }

  @Test
  void everyTierTableIsRead() throws IOException {
    List<Path> tables = files(DOCS.resolve("examples"), "tiers.yaml");
    assertThat(tables).isNotEmpty();
    for (Path table : tables) {
      String yaml = Files.readString(table);
      assertThatCode(() -> check(yaml, table.toString())).doesNotThrowAnyException();
    }
  }

  @Test
  void theTierTableOfTheReferenceIsRead() throws IOException {
    String page = Files.readString(DOCS.resolve("reference/tiers-yaml.md"));
    Matcher block = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    // The reference falls back to tiers that it does not define: it shows one tier of three.
    String whole =
        block
            .group(1)
            .replace(
                "layouts:",
                """
                  - {name: sata, match: {storage-type: SSD, hosts: [n*]}}
                  - {name: disk, match: {storage-type: DISK}}
                layouts:\
                """);
    assertThatCode(() -> check(whole, "tiers-yaml.md")).doesNotThrowAnyException();
  }

  @Test
  void everySpecificationOfTheReferenceIsUnderstood() throws IOException {
    TierConfiguration tiers =
        TierConfiguration.parse(
            Files.readString(DOCS.resolve("examples/three-tiers/tiers.yaml")), "tiers.yaml");
    String[] parts = Files.readString(DOCS.resolve("reference/policies.md")).split("## Reads", 2);
    Map<String, String> layouts = Map.of("NAME", "1 x disk");
    List<String> placements = specifications(parts[0]);
    String[] rest = parts[1].split("## Scheduling", 2);
    List<String> accesses = specifications(rest[0]);
    String[] last = rest[1].split("## Popularity", 2);
    List<String> schedulings = specifications(last[0]);
    List<String> predictors = specifications(last[1]);
    assertThat(placements).hasSizeGreaterThan(8);
    assertThat(accesses).hasSizeGreaterThan(8);
    assertThat(schedulings).hasSizeGreaterThan(3);
    assertThat(predictors).hasSizeGreaterThan(8);
    for (String predictor : predictors) {
      assertThatCode(() -> PopularityPredictors.parse(predictor, model -> DecisionTrees.NONE))
          .as(predictor)
          .doesNotThrowAnyException();
    }
    for (String placement : placements) {
      assertThatCode(() -> PlacementPolicies.parse(placement, tiers.table(), layouts))
          .as(placement)
          .doesNotThrowAnyException();
    }
    for (String access : accesses) {
      assertThatCode(() -> AccessStrategies.parse(access)).as(access).doesNotThrowAnyException();
    }
    for (String scheduling : schedulings) {
      assertThatCode(() -> SchedulingPolicies.parse(scheduling))
          .as(scheduling)
          .doesNotThrowAnyException();
    }
  }

  /** The first column of the tables: texts in backquotes, but for those that begin with dots. */
  private static List<String> specifications(String part) {
    return part.lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(1, line.indexOf('|', 1)))
        .flatMap(cell -> Pattern.compile("`([^`]+)`").matcher(cell).results())
        .map(result -> result.group(1))
        .filter(text -> !text.startsWith("..."))
        .filter(text -> !text.startsWith("on ") && !text.startsWith("in "))
        .toList();
  }

  @Test
  void theWorkersPlanOfTheQuickStartIsRead(@TempDir Path folder) throws IOException {
    String page = Files.readString(DOCS.resolve("tutorial/quickstart.md"));
    Matcher block = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).isTrue();
    Path file = Files.writeString(folder.resolve("plan.json"), block.group(1));
    assertThat(DfsioWorker.plan(file).tasks()).hasSize(1);
  }

  @Test
  void theRecommendedConfigurationLimitsNoReader() {
    Configuration recommended = new Configuration(false);
    recommended.addResource(
        new org.apache.hadoop.fs.Path(DOCS.resolve("examples/three-tiers/hdfs-site.xml").toUri()));
    assertThat(recommended)
        .extracting(Map.Entry::getKey)
        .contains("tierwise.namenode.access.strategy")
        .noneMatch(key -> key.contains("datanode"));
  }

  @Test
  void everyClassThatASiteFileNamesExists() throws IOException {
    for (Path file : files(DOCS.resolve("examples"), "-site.xml")) {
      Configuration conf = new Configuration(false);
      conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      for (Map.Entry<String, String> property : conf) {
        if (property.getValue().contains("tierwise.hadoop")
            || property.getValue().startsWith("org.apache.hadoop")) {
          assertThat(conf.getClassByNameOrNull(property.getValue()))
              .as(file + ": " + property.getKey())
              .isNotNull();
        }
      }
    }
  }
}
