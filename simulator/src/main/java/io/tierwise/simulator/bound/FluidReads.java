package io.tierwise.simulator.bound;

import io.tierwise.simulator.bound.ReadProblem.Block;
import io.tierwise.simulator.bound.ReadProblem.Path;
import io.tierwise.simulator.bound.ReadProblem.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The best fractional assignment of readers to replicas, found anew whenever a reader is done: at
 * each moment the one with the highest rate of all together, and of those the fairest (the slowest
 * reader as fast as can be, then the next slowest, and so on). A reader goes through its blocks
 * evenly; time that it spends on a replica is none for another.
 *
 * <p>Not a limit: who finishes some readers early at the cost of others has more speed for those
 * that are left. Nothing that shares devices and links fairly does so on purpose.
 */
final class FluidReads {
  private static final double DONE = 1e-9;

  private final ReadProblem problem;

  private FluidReads(ReadProblem problem) {
    this.problem = problem;
  }

  /** By reader, seconds from the common beginning. */
  static double[] secondsUntilDone(ReadProblem problem) {
    return new FluidReads(problem).run();
  }

  private double[] run() {
    List<Reader> readers = problem.readers();
    double[] left = new double[readers.size()];
    double[] seconds = new double[readers.size()];
    Arrays.fill(left, 1);
    List<Integer> active = new ArrayList<>();
    for (int reader = 0; reader < left.length; reader++) {
      active.add(reader);
    }
    double now = 0;
    while (!active.isEmpty()) {
      double[] shares = sharesPerSecond(active.stream().map(readers::get).toList());
      double step = Double.POSITIVE_INFINITY;
      for (int i = 0; i < shares.length; i++) {
        step = Math.min(step, left[active.get(i)] / shares[i]);
      }
      now += step;
      List<Integer> still = new ArrayList<>();
      for (int i = 0; i < shares.length; i++) {
        int reader = active.get(i);
        left[reader] -= step * shares[i];
        seconds[reader] = now;
        if (left[reader] > DONE) {
          still.add(reader);
        }
      }
      active = still;
    }
    return seconds;
  }

  /** The share of its file that each reader gets in a second. */
  private double[] sharesPerSecond(List<Reader> readers) {
    double[] capacities = problem.capacities(readers);
    double unit = fastest(readers, capacities);
    Tableau tableau = program(readers, capacities, unit);
    tableau.maximiseSum(0, readers.size());
    double[] rates = new double[readers.size()];
    List<Integer> rising = new ArrayList<>();
    for (int reader = 0; reader < rates.length; reader++) {
      rising.add(reader);
    }
    while (!rising.isEmpty()) {
      rising.removeIf(tableau::isFixed);
      if (!rising.isEmpty()) {
        double level = tableau.raise(rising.stream().mapToInt(Integer::intValue).toArray());
        rising.forEach(reader -> rates[reader] += level);
      }
    }
    for (int reader = 0; reader < rates.length; reader++) {
      rates[reader] = (rates[reader] + tableau.value(reader)) * unit / readers.get(reader).bytes();
    }
    return rates;
  }

  private static double fastest(List<Reader> readers, double[] capacities) {
    return readers.stream()
        .flatMap(reader -> reader.blocks().stream())
        .mapToDouble(block -> block.bytesPerSecondMax(capacities))
        .max()
        .orElseThrow();
  }

  /** Variables: the readers' rates, then what comes from each replica, all in that unit. */
  private Tableau program(List<Reader> readers, double[] capacities, double unit) {
    int blocks = ReadProblem.blockCount(readers);
    int replicas = ReadProblem.replicaCount(readers);
    int resources = problem.resourceCount();
    Tableau tableau = new Tableau(readers.size() + replicas, resources + readers.size() + blocks);
    for (int row = 0; row < resources + readers.size(); row++) {
      tableau.bound(row, 1);
    }
    int row = resources + readers.size();
    int variable = readers.size();
    for (int reader = 0; reader < readers.size(); reader++) {
      double bytes = readers.get(reader).bytes();
      for (Block block : readers.get(reader).blocks()) {
        tableau.add(row, reader, block.bytes() / bytes);
        for (Path path : block.replicas()) {
          tableau.add(row, variable, -1);
          tableau.add(resources + reader, variable, unit / path.bytesPerSecondMax(capacities));
          for (int i = 0; i < path.resources().length; i++) {
            int resource = path.resources()[i];
            tableau.add(resource, variable, path.unitsPerByte()[i] * unit / capacities[resource]);
          }
          variable++;
        }
        row++;
      }
    }
    return tableau;
  }
}
