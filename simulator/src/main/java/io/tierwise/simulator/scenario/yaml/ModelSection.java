package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.MODEL;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.bytes;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.count;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.share;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.time;

import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.StreamCosts;
import io.tierwise.simulator.scenario.yaml.ValueKind.Choice;
import io.tierwise.simulator.scenario.yaml.ValueKind.Decimal;
import io.tierwise.simulator.scenario.yaml.ValueKind.Flag;
import io.tierwise.simulator.scenario.yaml.ValueKind.Measure;
import java.util.ArrayList;
import java.util.List;

/** The section {@code model}: its keys, and how it is read and written. */
final class ModelSection {
  private ModelSection() {}

  static void addKeys() {
    section(
        MODEL,
        "Constants of how tasks run, the same for all jobs.",
        key("task-start", time("1 h"), "1 s", "from a slot to the first byte"),
        key(
            "job-start",
            time("1 h"),
            "3 s",
            "from submission to the first slot, clean-up included"),
        key(
            "sort",
            bytes("1 MB"),
            "100 MiB",
            "output that a map holds in memory; more is spilled and merged"),
        key("sort-factor", count(2, 1_000), "10", "spilled runs that are merged at a time"),
        key(
            "merge-read",
            new Measure(Quantity.BYTES, "4 KiB", "1000 PB", true),
            "none",
            "of a run that is merged with others, before the disk turns to the next one; Hadoop reads"
                + " 4 MiB ahead; none: a run in one sweep"),
        key(
            "reduce-buffer",
            bytes("1 MB"),
            "92.4 MiB",
            "input that a reducer gathers in memory before it writes it as a run; Hadoop's 0.66 of"
                + " 0.70 of a heap of 200 MiB"),
        key(
            "reduce-kept",
            bytes("0 B"),
            "0 B",
            "input that a reducer keeps in memory while it reduces; Hadoop keeps none"),
        key("bytes-per-reducer", bytes("1 MB"), "1 GB", "for jobs that name no reducer count"),
        key("reducers-max", count(1, 1_000_000), "999", "for the same"),
        key(
            "shuffle-sources-max",
            count(1, 100_000),
            "16",
            "nodes a reducer fetches from; of more, so many stand for all"),
        key("slow-start", share(), "0.05", "share of finished maps at which reducers start"),
        key("locality-delay", time("1 h"), "3 s", "wait for a slot near a task's data"),
        key(
            "heartbeat",
            time("1 h"),
            "0 s",
            "of the nodes that run tasks: a task starts with one of its node's; 0: at once"),
        key("speculative", new Flag(), "false", "second attempts of slow tasks"),
        key(
            "map-cycles",
            new Decimal(0, 1e9, false),
            "40",
            "CPU cycles for each byte that a map of a trace's job reads"),
        key(
            "reduce-cycles",
            new Decimal(0, 1e9, false),
            "10",
            "CPU cycles for each byte that a reducer of a trace's job reads"),
        key(
            "send-cycles",
            new Decimal(0, 1e6, false),
            "0",
            "CPU cycles for each byte that a process sends to another one, with HDFS or the"
                + " shuffle; one core at most for each stream"),
        key(
            "receive-cycles",
            new Decimal(0, 1e6, false),
            "0",
            "CPU cycles for each byte that a process takes in, with its checksum; likewise"),
        key("stragglers", share(), "0", "share of tasks that run slowly"),
        key("straggler-factor", new Decimal(1, 1000, false), "4", "how much longer they compute"),
        key(
            "granularity",
            time("10 s"),
            "0 s",
            "rates are divided at most so often while 1,000 flows or more run; 0: exactly"),
        key("evict-when-full", new Flag(), "false", "delete least recently used input for writes"),
        key("drop-caches", new Flag(), "false", "empty page caches before a job that runs alone"),
        key("write-through", new Flag(), "false", "writes wait for the device, not for a buffer"),
        key(
            "phases",
            new Choice(List.of("overlapped", "series")),
            "overlapped",
            "tasks compute while they read and write, or in between"),
        key(
            "spills",
            new Choice(List.of("afterwards", "meanwhile")),
            "afterwards",
            "tasks spill when their input is there, or, where phases are overlapped, all but the"
                + " last run while it comes"),
        key(
            "warm-input",
            share(),
            "0",
            "share of the blocks of input that page caches hold before it is read"));
  }

  static ModelSpec read(Fields fields) {
    if (fields.flag("drop-caches") && fields.number("warm-input") > 0) {
      throw fields
          .at("warm-input")
          .wrong("has no effect with drop-caches, which empties the caches: leave out one of both");
    }
    return new ModelSpec(
        fields.measure("task-start"),
        fields.measure("job-start"),
        fields.bytes("sort"),
        fields.intCount("sort-factor"),
        fields.bytes("reduce-buffer"),
        fields.bytes("reduce-kept"),
        fields.bytes("bytes-per-reducer"),
        fields.intCount("reducers-max"),
        fields.intCount("shuffle-sources-max"),
        fields.number("slow-start"),
        fields.measure("locality-delay"),
        fields.flag("speculative"),
        fields.number("map-cycles"),
        fields.number("reduce-cycles"),
        fields.number("stragglers"),
        fields.number("straggler-factor"),
        fields.measure("granularity"),
        fields.flag("evict-when-full"),
        fields.flag("drop-caches"),
        fields.flag("write-through"),
        fields.choice("phases").equals("series"),
        fields.number("warm-input"),
        fields.measure("heartbeat"),
        new StreamCosts(fields.number("send-cycles"), fields.number("receive-cycles")),
        fields.choice("spills").equals("meanwhile"),
        fields.bytes("merge-read"));
  }

  /** The section's lines, without its name. */
  static List<String> lines(ModelSpec model) {
    List<String> lines = new ArrayList<>();
    lines.add("  task-start: " + seconds(model.taskStartSeconds()));
    lines.add("  job-start: " + seconds(model.jobStartSeconds()));
    lines.add("  sort: " + size(model.sortBytes()));
    lines.add("  sort-factor: " + model.sortFactor());
    lines.add("  reduce-buffer: " + size(model.reduceBufferBytes()));
    lines.add("  reduce-kept: " + size(model.reduceKeptBytes()));
    lines.add("  bytes-per-reducer: " + size(model.bytesPerReducer()));
    lines.add("  reducers-max: " + model.reducersPerJobMax());
    lines.add("  shuffle-sources-max: " + model.shuffleSourcesMax());
    lines.add("  slow-start: " + model.slowStartShare());
    lines.add("  locality-delay: " + seconds(model.localityDelaySeconds()));
    lines.add("  speculative: " + model.speculative());
    lines.add("  map-cycles: " + model.mapCyclesPerByte());
    lines.add("  reduce-cycles: " + model.reduceCyclesPerByte());
    lines.add("  stragglers: " + model.stragglerShare());
    lines.add("  straggler-factor: " + model.stragglerFactor());
    lines.add("  granularity: " + seconds(model.granularitySeconds()));
    lines.add("  evict-when-full: " + model.evictWhenFull());
    lines.add("  drop-caches: " + model.dropCaches());
    lines.add("  write-through: " + model.writeThrough());
    lines.add("  phases: " + (model.series() ? "series" : "overlapped"));
    lines.add("  warm-input: " + model.warmInputShare());
    lines.add("  heartbeat: " + seconds(model.heartbeatSeconds()));
    lines.add("  spills: " + (model.spillsMeanwhile() ? "meanwhile" : "afterwards"));
    lines.add("  merge-read: " + sizeOrNone(model.mergeReadBytes()));
    lines.add("  send-cycles: " + model.streams().sendCyclesPerByte());
    lines.add("  receive-cycles: " + model.streams().receiveCyclesPerByte());
    return lines;
  }

  private static String seconds(double seconds) {
    return Quantity.TIME.write(seconds);
  }

  private static String sizeOrNone(long bytes) {
    return bytes == Long.MAX_VALUE ? "none" : size(bytes);
  }

  private static String size(long bytes) {
    return Quantity.BYTES.writeWhole(bytes);
  }
}
