package io.tierwise.simulator.scenario.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.policies.movement.MovementLimits;
import io.tierwise.policies.movement.Watermarks;
import io.tierwise.simulator.scenario.ClusterSpec;
import io.tierwise.simulator.scenario.ClusterSpec.NodeGroup;
import io.tierwise.simulator.scenario.ClusterSpec.NodeSpec;
import io.tierwise.simulator.scenario.ClusterSpec.Prices;
import io.tierwise.simulator.scenario.ClusterSpec.Rack;
import io.tierwise.simulator.scenario.ClusterSpec.VolumeGroup;
import io.tierwise.simulator.scenario.DeviceSpec;
import io.tierwise.simulator.scenario.DeviceSpec.CurvePoint;
import io.tierwise.simulator.scenario.FaultSpec;
import io.tierwise.simulator.scenario.FlushSpec;
import io.tierwise.simulator.scenario.ModelSpec;
import io.tierwise.simulator.scenario.MonitorSpec;
import io.tierwise.simulator.scenario.MovementSpec;
import io.tierwise.simulator.scenario.PhasePlan;
import io.tierwise.simulator.scenario.PolicySpec;
import io.tierwise.simulator.scenario.Scenario;
import io.tierwise.simulator.scenario.StageSpec;
import io.tierwise.simulator.scenario.StageSpec.Edge;
import io.tierwise.simulator.scenario.StoredSpec;
import io.tierwise.simulator.scenario.StreamCosts;
import io.tierwise.simulator.scenario.TaskMemory;
import io.tierwise.simulator.scenario.TierSpec;
import io.tierwise.simulator.scenario.UpkeepSpec;
import io.tierwise.simulator.scenario.WorkloadSpec;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications;
import io.tierwise.simulator.scenario.WorkloadSpec.Arrival;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Every scenario that is written reads back as the same scenario. */
class ScenarioWriterTest {
  private static final long MEMORY = 1L << 40;

  @Property(tries = 200)
  void aWrittenScenarioReadsBackAsTheSame(@ForAll long seed) {
    Scenario scenario = random(new SplittableRandom(seed));
    String yaml = ScenarioWriter.write(scenario, List.of("a comment", "of /a\nb: [\u001b"));
    assertThat(ScenarioFiles.parse(yaml, "w.yaml").scenario()).as(yaml).isEqualTo(scenario);
  }

  private static double between(SplittableRandom random, double least, double most) {
    return random.nextInt(3) == 0
        ? Math.rint(least + random.nextDouble() * (most - least))
        : least + random.nextDouble() * (most - least);
  }

  private static Scenario random(SplittableRandom random) {
    List<DeviceSpec> devices = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      devices.add(device("dev_" + i, random));
    }
    List<Rack> racks = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(3); i++) {
      double uplink = random.nextBoolean() ? Double.POSITIVE_INFINITY : between(random, 1e6, 1e11);
      String kind = "kind." + i;
      racks.add(
          new Rack(
              "r" + i,
              random.nextBoolean() ? "east" : "1west",
              uplink,
              List.of(new NodeGroup(node(kind, devices, random), 2 + random.nextInt(9)))));
    }
    List<TierSpec> tiers = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      List<String> fallback = i > 0 && random.nextBoolean() ? List.of("t0") : List.of();
      tiers.add(new TierSpec("t" + i, devices.get(i).name(), fallback));
    }
    WorkloadSpec workload = workload(random);
    String queue = workload.applicationNames().map(names -> names.get(0)).orElse("b/c");
    String scheduler =
        random.nextBoolean() ? "fair:delay-seconds=1.5" : "capacity:" + queue + "=30/60";
    return new Scenario(
        random.nextBoolean() ? "yes: \"no\" # \\ 'maybe'" : "null",
        random.nextLong(Long.MAX_VALUE),
        new ClusterSpec(
            racks,
            between(random, 1e4, 1e12),
            random.nextDouble(),
            new Prices(between(random, 0, 99), random.nextDouble())),
        tiers,
        new PolicySpec(
            "hybrid", "nbd:threshold=3", 2, 1_000_000 + random.nextLong(1L << 28), scheduler),
        model(random),
        workload,
        List.of(
            new FaultSpec(
                between(random, 0, 1e6),
                FaultSpec.Target.NODE,
                "node-1",
                FaultSpec.Kind.SLOW,
                0.001 + 0.9 * random.nextDouble(),
                Double.POSITIVE_INFINITY)),
        List.of(
            new StoredSpec(
                random.nextBoolean() ? "/a b" : "/a\n\tb\u001b[2J\u0085\u2028 \\\" c/é",
                1 + random.nextInt(9),
                1 + random.nextInt(5),
                9 + random.nextInt(90),
                "hybrid")),
        List.of(
            new MovementSpec(between(random, 0, 1e6), "/a b/*", "layout:2 x t0", limits(random))),
        new UpkeepSpec(
            random.nextBoolean()
                ? Optional.empty()
                : Optional.of(
                    new MonitorSpec(
                        between(random, 1, 1e4),
                        1 + random.nextInt(99),
                        between(random, 0, 1e6),
                        limits(random),
                        3)),
            tiers.size() == 1
                ? List.of()
                : List.of(
                    new FlushSpec(
                        "t0", "/a b", new Watermarks(0.9, 0.5), "unused", 7, limits(random), 2))));
  }

  private static MovementLimits limits(SplittableRandom random) {
    return new MovementLimits(
            1000 + random.nextInt(1 << 30), 1 << 30, 1 + random.nextInt(99), random.nextDouble())
        .yieldingAbove(random.nextInt(99))
        .atMovesPerSecond(random.nextInt(99));
  }

  private static DeviceSpec device(String name, SplittableRandom random) {
    List<CurvePoint> curve =
        random.nextBoolean()
            ? List.of()
            : List.of(new CurvePoint(1, 1), new CurvePoint(7, 0.01 + random.nextDouble()));
    double wattsIdle = between(random, 0, 50);
    return new DeviceSpec(
        name,
        between(random, 1e5, 1e10),
        between(random, 1e5, 1e10),
        curve,
        random.nextDouble() / 100,
        random.nextInt(9),
        wattsIdle,
        wattsIdle + between(random, 0, 50),
        between(random, 0, 9));
  }

  private static NodeSpec node(String name, List<DeviceSpec> devices, SplittableRandom random) {
    List<VolumeGroup> volumes = new ArrayList<>();
    for (DeviceSpec device : devices) {
      volumes.add(
          new VolumeGroup(
              device, 1 + random.nextInt(4), 1L << 40 | random.nextLong(1L << 40), true, true));
    }
    long buffer = random.nextLong(1L << 30);
    return new NodeSpec(
        name,
        1 + random.nextInt(64),
        between(random, 1e9, 4e9),
        random.nextLong(1L << 40),
        buffer,
        random.nextLong(buffer + 1),
        between(random, 1e9, 1e11),
        1 + random.nextInt(9),
        1 + random.nextInt(9),
        between(random, 1e6, 1e11),
        between(random, 0, 99),
        between(random, 100, 999),
        between(random, 0, 1e5),
        between(random, 0, 9),
        random.nextBoolean() ? NodeSpec.UNLIMITED : random.nextLong(MEMORY, 1L << 50),
        volumes);
  }

  private static ModelSpec model(SplittableRandom random) {
    boolean dropCaches = random.nextBoolean();
    return new ModelSpec(
        between(random, 0, 10),
        between(random, 0, 10),
        1_000_000 + random.nextLong(1L << 30),
        2 + random.nextInt(999),
        1_000_000 + random.nextLong(1L << 30),
        random.nextLong(1L << 30),
        1_000_000 + random.nextLong(1L << 40),
        1 + random.nextInt(1000),
        1 + random.nextInt(1000),
        random.nextDouble(),
        between(random, 0, 100),
        random.nextBoolean(),
        between(random, 0, 1000),
        between(random, 0, 1000),
        random.nextDouble(),
        1 + random.nextDouble() * 9,
        random.nextDouble(),
        random.nextBoolean(),
        dropCaches,
        random.nextBoolean(),
        random.nextBoolean(),
        dropCaches ? 0 : random.nextDouble(),
        between(random, 0, 10),
        new StreamCosts(between(random, 0, 100), between(random, 0, 100)),
        random.nextBoolean(),
        random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(4096, 1L << 30));
  }

  private static WorkloadSpec workload(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 ->
          new WorkloadSpec.Dfsio(1 + random.nextInt(9), 1 + random.nextLong(1L << 30), true, false);
      case 1 ->
          new WorkloadSpec.Trace(
              "rumen",
              Path.of("a b/t.json"),
              random.nextInt(3),
              random.nextDouble() + 1e-3,
              2,
              random.nextDouble() + 1e-3,
              random.nextDouble() + 1e-3,
              true);
      case 2 ->
          new Applications(
              new Arrival.Poisson(0.001 + random.nextDouble()),
              List.of(new Applications.Share("lsn/grep", 3, 0.1 + random.nextDouble())));
      case 3 ->
          new Applications(
              new Arrival.ClosedLoop(3, random.nextDouble() * 100),
              List.of(share("lsn/terasort", memory(random), Applications.Edges.NONE)));
      case 4 ->
          new Applications(
              new Arrival.Together(),
              List.of(
                  share("lsn/teragen", TaskMemory.NONE, edges("made", List.of(), "")),
                  share("lsn/grep", TaskMemory.NONE, edges("", List.of("made", "b"), "made")),
                  share("lsn/join", TaskMemory.NONE, edges("b", List.of("made"), ""))));
      case 5 -> new Applications(new Arrival.Together(), List.of(graph(random)));
      default ->
          new Applications(
              random.nextBoolean() ? new Arrival.Together() : new Arrival.OneAfterAnother(),
              List.of(new Applications.Share("lsn/teragen", 1, 1)));
    };
  }

  private static Applications.Share share(
      String application, TaskMemory memory, Applications.Edges edges) {
    return new Applications.Share(application, 1, 1, PhasePlan.SERIES, memory, "", edges);
  }

  private static Applications.Share graph(SplittableRandom random) {
    List<StageSpec> stages =
        List.of(
            stage("one", random, true, 0, List.of()),
            stage("t.wo", random, true, 5, List.of()),
            stage("beside", random, false, 5, List.of(new Edge(1, true))),
            stage("all", random, false, 0, List.of(new Edge(0, false), new Edge(2, false))));
    return new Applications.Share(
        "a.query", 2, 0.5, PhasePlan.MODEL, TaskMemory.NONE, "", Applications.Edges.NONE, stages);
  }

  private static StageSpec stage(
      String name, SplittableRandom random, boolean reads, int tasks, List<Edge> takes) {
    boolean isLast = name.equals("all");
    long bytes = random.nextLong(1L << 40);
    return new StageSpec(
        name,
        takes,
        "",
        reads ? 1 + random.nextLong(1L << 40) : 0,
        tasks,
        between(random, 0, 100),
        between(random, 0, 100),
        isLast ? 0 : bytes,
        isLast ? bytes : 0);
  }

  private static Applications.Edges edges(String name, List<String> after, String reads) {
    return new Applications.Edges(name, after, reads);
  }

  /** What every node has. */
  private static TaskMemory memory(SplittableRandom random) {
    return new TaskMemory(random.nextLong(MEMORY), random.nextLong(MEMORY));
  }
}
