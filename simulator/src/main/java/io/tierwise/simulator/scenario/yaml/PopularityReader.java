package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.window;

import io.tierwise.core.cluster.TierTable;
import io.tierwise.policies.popularity.PopularityPredictor;
import io.tierwise.policies.popularity.PopularityPredictors;
import io.tierwise.policies.popularity.PopularityState;
import io.tierwise.policies.popularity.UseWindow;
import io.tierwise.simulator.scenario.PopularitySpec;
import io.tierwise.simulator.scenario.yaml.ValueKind.Decimal;
import io.tierwise.simulator.scenario.yaml.ValueKind.Text;
import io.tierwise.simulator.scenario.yaml.ValueKind.Texts;

/** Says and reads the section {@code popularity}. */
final class PopularityReader {
  private PopularityReader() {}

  static void addKeys() {
    section(
        ScenarioKeys.POPULARITY,
        "Input files get replicas, and their store, by the popularity that is predicted at the end"
            + " of each window (AptStore's decision engine). Copies compete with the jobs.",
        key(
            "predictor",
            new Text("popularity predictor"),
            "",
            "default: replicas stay as they are, and the storage that they take is counted"),
        key("window", window(), "1 h", "from one prediction to the next"),
        key(
            "secondary",
            new Text("name of a tier"),
            "",
            "store of unpopular files, with one replica; default: they stay as they are"),
        key(
            "extra",
            new Decimal(0, 1, true),
            "100%",
            "most bytes of additional replicas, as a share of those of the usual ones"),
        key(
            "sla",
            new Texts("a path"),
            "",
            "whose files, and those below it, stay in the primary store and get additional replicas"
                + " first; `*` in a name"));
  }

  /**
   * Reads the section.
   *
   * @param replays whether the jobs are those of a trace, so that a predictor can look ahead
   */
  static PopularitySpec read(Fields fields, TierTable tiers, boolean replays) {
    if (fields.has("predictor")) {
      try {
        PopularityPredictor predictor = PopularityPredictors.parse(fields.text("predictor"));
        if (!replays) {
          requireNoForesight(predictor);
        }
      } catch (IllegalArgumentException e) {
        throw fields.at("predictor").error(e.getMessage());
      }
    }
    if (fields.has("secondary") && tiers.find(fields.text("secondary")).isEmpty()) {
      throw fields.at("secondary").wrong("is no tier of this scenario: " + tiers.names());
    }
    if (fields.has("secondary") && !fields.has("predictor")) {
      throw fields.at("secondary").wrong("gets no files without popularity.predictor: set both");
    }
    return new PopularitySpec(
        orEmpty(fields, "predictor"),
        fields.measure("window"),
        orEmpty(fields, "secondary"),
        fields.number("extra"),
        fields.items("sla").stream().map(MovementReader::path).toList());
  }

  /** Asks it about no files, as it would be asked at the end of the first window. */
  static void requireNoForesight(PopularityPredictor predictor) {
    UseWindow window = new UseWindow(0);
    window.begin(0, 1);
    PopularityPredictors.predict(predictor, window, new PopularityState(), new double[0]);
  }

  private static String orEmpty(Fields fields, String key) {
    return fields.has(key) ? fields.text(key) : "";
  }
}
