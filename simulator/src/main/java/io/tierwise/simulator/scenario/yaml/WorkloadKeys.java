package io.tierwise.simulator.scenario.yaml;

import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.bytes;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.count;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.key;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.required;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.section;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.share;
import static io.tierwise.simulator.scenario.yaml.ScenarioKeys.time;

import io.tierwise.simulator.scenario.yaml.ValueKind.Arrivals;
import io.tierwise.simulator.scenario.yaml.ValueKind.Choice;
import io.tierwise.simulator.scenario.yaml.ValueKind.Count;
import io.tierwise.simulator.scenario.yaml.ValueKind.Decimal;
import io.tierwise.simulator.scenario.yaml.ValueKind.Flag;
import io.tierwise.simulator.scenario.yaml.ValueKind.ListOf;
import io.tierwise.simulator.scenario.yaml.ValueKind.Measure;
import io.tierwise.simulator.scenario.yaml.ValueKind.Name;
import io.tierwise.simulator.scenario.yaml.ValueKind.Nested;
import io.tierwise.simulator.scenario.yaml.ValueKind.Text;
import io.tierwise.simulator.scenario.yaml.ValueKind.Texts;
import java.util.List;

/** The keys of the jobs that arrive. */
final class WorkloadKeys {
  private static final String TASKS =
      "how many; `auto`: one for each block of the input, as many as the stage has that it takes"
          + " task by task, else one for each `model.bytes-per-reducer`";

  private WorkloadKeys() {}

  static void add() {
    section(
        ScenarioKeys.WORKLOAD,
        "Exactly one of these.",
        key("dfsio", new Nested(ScenarioKeys.DFSIO), "", "TestDFSIO"),
        key("trace", new Nested(ScenarioKeys.TRACE), "", "a recorded or published trace"),
        key(
            "applications",
            new Nested(ScenarioKeys.APPLICATIONS),
            "",
            "jobs of known applications"));
    section(
        ScenarioKeys.DFSIO,
        "Tasks that write, then read, one file each, all at once.",
        required("tasks", count(1, 1_000_000), "how many"),
        key("file", bytes("1 B"), "1 GB", "size of each task's file"),
        key("write", new Flag(), "true", "run the writing job"),
        key("read", new Flag(), "true", "run the reading job"),
        key("local", share(), "0", "share of readers that run where their file begins"));
    section(
        ScenarioKeys.TRACE,
        "Jobs of a trace, streamed.",
        required("format", new Choice(List.of("swim", "rumen", "jhist", "spark", "jobs")), ""),
        required("file", new Text("path, from this file's folder"), ""),
        key("jobs", new Count(1, Integer.MAX_VALUE, "all"), "all", "the first ones only"),
        key("time-scale", new Decimal(1e-9, 1e9, false), "1", "factor of submission times"),
        key(
            "size-scale",
            new Decimal(1e-9, 1e9, false),
            "1",
            "factor of bytes; none that are above 0 become 0"),
        key(
            "shuffle-scale",
            new Decimal(1e-9, 1e9, false),
            "1",
            "a further factor of what stages hand on, likewise"),
        key(
            "output-scale",
            new Decimal(1e-9, 1e9, false),
            "1",
            "a further factor of the output, likewise"),
        key("skip-bad-rows", new Flag(), "false", "count bad rows instead of ending"));
    section(
        ScenarioKeys.APPLICATIONS,
        "Jobs of the applications that the source papers describe.",
        key("arrival", new Arrivals(ScenarioKeys.ARRIVAL), "together", "when jobs arrive"),
        required("jobs", new ListOf(ScenarioKeys.JOBS, "an application's name"), "in order"));
    section(
        ScenarioKeys.JOBS,
        "Equal jobs.",
        required(
            "application",
            new Text("name"),
            "one of `applications.yaml`, or, with `stages`, any other name"),
        key("count", count(1, 1_000_000), "1", "how many"),
        key("scale", new Decimal(1e-6, 1e6, false), "1", "factor of bytes and task counts"),
        key(
            "phases",
            new Choice(List.of("model", "overlapped", "series")),
            "model",
            "of their tasks; `model`: as the application says, or else as `model.phases` says"),
        key("map-memory", bytes("0 B"), "0 B", "of a node's `task-memory` that each map holds"),
        key("reduce-memory", bytes("0 B"), "0 B", "likewise each reducer"),
        key(
            "temporary",
            new Text("name of a device class"),
            "",
            "that their tasks spill to, where a node has one; default: any of the node in turn"),
        key("name", new Name(), "", "by which other jobs name these"),
        key(
            "after",
            new Texts("name of jobs"),
            "",
            "that are all over, done or failed, before these arrive; with `arrival: together`"),
        key(
            "reads",
            new Text("name of a job"),
            "",
            "whose output these read in the place of an input of their own, when it is over"),
        key(
            "stages",
            new ListOf(ScenarioKeys.STAGES, ""),
            "",
            "of an application that is described here: any graph without a cycle, in any order"));
    section(
        ScenarioKeys.STAGES,
        "Tasks that do the same work on different data. They start when all stages whose output they"
            + " take are done: those that take none in slots of maps, all others in slots of"
            + " reducers. What they hand on is spilled, merged and kept on temporary volumes until"
            + " the job is over.",
        required("name", new Name(), "by which other stages name it"),
        key("tasks", new Count(1, 1_000_000, "auto"), "auto", TASKS),
        key("input", bytes("0 B"), "0 B", "read from the file system"),
        key(
            "after",
            new Texts("name of stages"),
            "",
            "each task takes its share of what every task of these hands on, as in a shuffle"),
        key(
            "one-to-one",
            new Texts("name of stages"),
            "",
            "each task takes what the task of its number of these hands on, on its node if it can"),
        key(
            "cycles",
            new Decimal(0, 1e9, false),
            "0",
            "for each byte that is taken in; where none is, for each byte of output"),
        key("task-time", time("1 d"), "0 s", "that each task takes beside what goes with bytes"),
        key("between", bytes("0 B"), "0 B", "handed to each of the stages that come after it"),
        key("output", bytes("0 B"), "0 B", "written to the file system"));
    section(
        ScenarioKeys.ARRIVAL,
        "Either `poisson`, or `clients` with `think`.",
        key(
            "poisson",
            new Measure(Quantity.ARRIVALS, "0.000001 /s", "1000000 /s", false),
            "",
            "at random, independently, in random order"),
        key("clients", new Count(1, 1_000_000, ""), "", "jobs at a time"),
        key(
            "think",
            time(ScenarioKeys.RUN_MAX),
            "0 s",
            "from the end of a client's job to its next"));
  }
}
