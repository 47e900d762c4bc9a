package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.RUN_MAX;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.append;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.count;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.rate;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.required;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.share;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.time;

import io.tierwise.simulator.scenario.yaml.ValueKind.Choice;
import io.tierwise.simulator.scenario.yaml.ValueKind.Flag;
import io.tierwise.simulator.scenario.yaml.ValueKind.Name;
import io.tierwise.simulator.scenario.yaml.ValueKind.Text;
import java.util.List;

/** The keys of those who have stored data moved: movements, the monitor, flushes. */
final class MoverKeys {
  private MoverKeys() {}

  static void add() {
    section(
        ScenarioKeys.MOVEMENT,
        "Files get another policy and what is stored of them moves there, as with `tierwise policy"
            + " set --apply`: the same plans and turns, as flows that compete with the jobs.",
        key("at", time(RUN_MAX), "0 s", "since the start"),
        required("path", new Text("path"), "of files and all below; `*` is any part of a name"),
        required("placement", new Text("placement policy or layout"), "what they should have"),
        key("apply", new Flag(), "true", "false: the policy alone changes; a monitor may repair"));
    section(
        ScenarioKeys.MONITOR,
        "Walks all files, compares blocks with their layouts, and has a mover repair the most urgent,"
            + " as `tierwise monitor run` does.",
        key("interval", time("1 d"), "60 s", "from a walk to the next; after a fault it is sooner"),
        key("queue", count(1, 1_000_000), "20000", "blocks that wait, the most urgent"),
        key("until", time(RUN_MAX), "0 s", "up to then the run goes on, jobs or not"));
    section(
        ScenarioKeys.FLUSH,
        "A tier that gets too full is emptied to a slower one, as with `tierwise tiers flush`.",
        required("tier", new Name(), "its name"),
        key("path", new Text("path"), "/", "of files that may leave, and all below"),
        key("high", share(), "90%", "share of its capacity above which data leaves"),
        key("low", share(), "80%", "share to which it is brought"),
        key("order", new Choice(List.of("oldest", "unused")), "oldest", "which files leave first"),
        key("every", time("1 d"), "60 s", "from a look to the next"));
    for (String mover : List.of(ScenarioKeys.MOVEMENT, ScenarioKeys.MONITOR, ScenarioKeys.FLUSH)) {
      addLimits(mover);
    }
  }

  /** The share of a cluster that a mover may take. */
  private static void addLimits(String section) {
    append(
        section,
        List.of(
            key("bandwidth", rate(false), "25 MB/s", "of each node, for moves"),
            key("bandwidth-volume", rate(false), "", "of each volume; default: as its node"),
            key("bandwidth-total", rate(false), "250 MB/s", "of all moves together"),
            key("moves-per-node", count(1, 1000), "4", "at once"),
            key(
                "moves-per-second",
                count(0, 1_000_000),
                "",
                "that a node begins, 0: any number; default: one for each 5 MB of bandwidth, at"
                    + " least 5"),
            key("keep-free", share(), "5%", "of each volume, what moves leave free"),
            key(
                "yield-above",
                count(0, 1_000_000),
                "16",
                "reads that a node serves: with more its moves keep a share of these limits; 0: never"),
            key("heartbeat", time("1 h"), "3 s", "of DataNodes: by it HDFS drops old replicas")));
  }
}
