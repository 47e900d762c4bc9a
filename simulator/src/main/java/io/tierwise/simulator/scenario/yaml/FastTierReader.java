package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.bytes;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.count;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.rate;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.required;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.window;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.movement.FastTierRegions;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.simulator.scenario.FastTierSpec;
import io.tierwise.simulator.scenario.yaml.ValueKind.Text;
import io.tierwise.simulator.scenario.yaml.ValueKind.Texts;
import java.util.List;

/** Says and reads the section {@code fast-tier}. */
final class FastTierReader {
  /** They change replicas, too, and nobody has said who goes first. */
  private static final List<String> NOT_BESIDE =
      List.of("popularity", "monitor", "flush", "movement", "faults");

  private FastTierReader() {}

  static void addKeys() {
    section(
        ScenarioKeys.FAST_TIER,
        "DUX's Adaptive Placement Manager shares a fast tier out among popular input, input that is"
            + " prefetched for jobs that wait, and intermediate data. Keep placement to the slowest"
            + " tier and read by `greedy`. Not beside "
            + String.join(", ", NOT_BESIDE)
            + ".",
        required("tier", new Text("name of a tier"), "that is shared out; not the slowest"),
        key("persistent", bytes("0 B"), "0 B", "region of popular input, on all nodes together"),
        key("temporary", bytes("0 B"), "0 B", "region of prefetched input and intermediate data"),
        key("buffer", bytes("0 B"), "0 B", "of the temporary region, that no job may plan with"),
        key(
            "predictor",
            new Text("popularity predictor"),
            "dux",
            "of the files in the persistent region"),
        key("window", window(), "1 h", "from one prediction to the next"),
        key("bandwidth", rate(false), "100 MB/s", "of copies into the fast devices of each node"),
        key("gain", ScenarioKeys.share(), "5%", "of its time that a job must gain by more of it"),
        key(
            "sla",
            new Texts("a path"),
            "",
            "whose files, and those below it, come first into the persistent region once they were"
                + " read, and leave for none; `*` in a name"),
        key(
            "sure-windows",
            count(0, 1_000),
            "0",
            "popular input comes only where nine of ten files that were read in as many windows"
                + " were read enough in so many windows more, as with `autotier`, whose `--hold` is"
                + " 3; 0: where it pays on the average, as with its `--on-average`"));
  }

  static FastTierSpec read(Fields scenario, TierTable tiers) {
    Fields fields = scenario.nested("fast-tier", ScenarioKeys.FAST_TIER);
    for (String other : NOT_BESIDE) {
      if (scenario.has(other)) {
        throw scenario.at("fast-tier").error("cannot stand beside " + other + ": remove one");
      }
    }
    String tier = fields.text("tier");
    if (tiers.find(tier).isEmpty()) {
      throw fields.at("tier").wrong("is no tier of this scenario: " + tiers.names());
    }
    if (tiers.require(tier).index() == tiers.count() - 1) {
      throw fields.at("tier").wrong("is the slowest tier: nothing would be faster there");
    }
    if (fields.bytes("buffer") > fields.bytes("temporary")) {
      throw fields.at("buffer").wrong("is more than the temporary region");
    }
    try {
      PopularityReader.requireNoForesight(PopularityPredictors.parse(fields.text("predictor")));
    } catch (IllegalArgumentException e) {
      throw fields.at("predictor").error(e.getMessage());
    }
    return new FastTierSpec(
        tier,
        new FastTierRegions(
            fields.bytes("persistent"), fields.bytes("temporary"), fields.bytes("buffer")),
        fields.text("predictor"),
        fields.measure("window"),
        fields.measure("bandwidth"),
        fields.number("gain"),
        fields.items("sla").stream().map(MovementReader::path).toList(),
        fields.intCount("sure-windows"));
  }
}
