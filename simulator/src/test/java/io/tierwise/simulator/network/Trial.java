package io.tierwise.simulator.network;

import io.tierwise.simulator.engine.Engine;
import io.tierwise.simulator.engine.RandomStreams;
import io.tierwise.simulator.engine.Ticks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A small system for two solvers: resources, flows and changes of capacity, as data. Times are
 * whole microseconds, so that both solvers see the same ones.
 */
record Trial(List<ConcurrencyCurve> resources, List<Flow> flows, List<Change> changes) {
  record Flow(
      double start, int[] path, double[] unitsPerByte, double bytes, double bytesPerSecondMax) {}

  record Change(double time, int resource, double unitsPerSecond) {}

  /** How a trial is run: plainly, with all checks after every event, or so that all is divided. */
  enum Mode {
    PLAIN,
    CHECKED,
    /** Every resource is touched at every event, which leaves the solver nothing to leave alone. */
    ALL_TOUCHED
  }

  /** The network's answer. */
  record Outcome(double[] finish, FlowNetwork network, long logHash) {}

  Outcome run(Mode mode) {
    Engine engine = new Engine();
    double[] finish = new double[flows.size()];
    Arrays.fill(finish, Double.POSITIVE_INFINITY);
    List<ConcurrencyCurve> present = new ArrayList<>(resources);
    FlowNetwork[] own = new FlowNetwork[1];
    Runnable touch =
        () -> {
          for (int i = 0; mode == Mode.ALL_TOUCHED && i < present.size(); i++) {
            own[0].setCapacity(i, present.get(i));
          }
        };
    own[0] =
        new FlowNetwork(
            engine,
            (flow, tag) -> {
              finish[(int) tag] = Ticks.toSeconds(engine.now());
              touch.run();
            });
    FlowNetwork network = own[0];
    for (ConcurrencyCurve resource : resources) {
      double alone = resource.unitsPerSecond(1);
      if (alone == resource.unitsPerSecond(2)) {
        network.addResource(alone);
      } else {
        network.addResource(resource);
      }
    }
    int start =
        engine.register(
            i -> {
              Flow flow = flows.get((int) i);
              network.start(
                  flow.path(),
                  flow.unitsPerByte(),
                  flow.path().length,
                  flow.bytes(),
                  flow.bytesPerSecondMax(),
                  i);
              touch.run();
            });
    int change =
        engine.register(
            i -> {
              Change next = changes.get((int) i);
              present.set(next.resource(), flowsThere -> next.unitsPerSecond());
              network.setCapacity(next.resource(), next.unitsPerSecond());
            });
    for (int i = 0; i < flows.size(); i++) {
      engine.at(Ticks.ofSeconds(flows.get(i).start()), start, i);
    }
    for (int i = 0; i < changes.size(); i++) {
      engine.at(Ticks.ofSeconds(changes.get(i).time()), change, i);
    }
    if (mode == Mode.CHECKED) {
      engine.registerCheck(network::check);
      engine.assertBetween(0, Ticks.NEVER);
    }
    engine.runUntil(Ticks.NEVER);
    return new Outcome(finish, network, engine.logHash());
  }

  /** A system with everything: costs, curves, limits, changes, bursts, shared paths. */
  static Trial random(long seed, int resourceCount, int flowCount) {
    RandomGenerator random = new RandomStreams(seed).stream("trial", 0);
    List<ConcurrencyCurve> resources = new ArrayList<>();
    for (int i = 0; i < resourceCount; i++) {
      double capacity = 10 + random.nextInt(90);
      double loss = random.nextInt(3) == 0 ? random.nextDouble() : 0;
      resources.add(flowsThere -> capacity * (1 - loss * (1 - 1.0 / flowsThere)));
    }
    List<Flow> flows = new ArrayList<>();
    double burst = 0;
    for (int i = 0; i < flowCount; i++) {
      if (random.nextInt(4) > 0) {
        burst = micro(random.nextDouble() * flowCount / 8);
      }
      if (i > 0 && random.nextInt(4) == 0) {
        Flow twin = flows.get(random.nextInt(i));
        double bytes = random.nextBoolean() ? twin.bytes() : bytes(random);
        flows.add(
            new Flow(burst, twin.path(), twin.unitsPerByte(), bytes, twin.bytesPerSecondMax()));
      } else {
        flows.add(flow(random, resourceCount, burst));
      }
    }
    List<Change> changes = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      double time = micro(random.nextDouble() * flowCount / 4);
      int resource = random.nextInt(resourceCount);
      changes.add(new Change(time, resource, 0));
      changes.add(new Change(time + 1 + random.nextInt(5), resource, 5 + random.nextInt(95)));
    }
    return new Trial(resources, flows, changes);
  }

  private static Flow flow(RandomGenerator random, int resourceCount, double start) {
    int length = 1 + random.nextInt(Math.min(6, resourceCount));
    int[] path = new int[length];
    double[] units = new double[length];
    for (int i = 0; i < length; i++) {
      path[i] = random.nextInt(resourceCount);
      units[i] = random.nextInt(3) == 0 ? 0.25 + random.nextDouble() * 4 : 1;
    }
    boolean isLimited = random.nextInt(4) == 0;
    double limit = isLimited ? 0.5 + random.nextDouble() * 20 : Double.POSITIVE_INFINITY;
    return new Flow(start, path, units, bytes(random), limit);
  }

  private static double bytes(RandomGenerator random) {
    return 1 + random.nextInt(200);
  }

  private static double micro(double seconds) {
    return Math.rint(seconds * 1e6) / 1e6;
  }
}
