package io.tierwise.simulator.bound;

import io.tierwise.simulator.bound.ReadProblem.Block;
import io.tierwise.simulator.bound.ReadProblem.Path;
import io.tierwise.simulator.bound.ReadProblem.Reader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The least time in which the k fastest readers can be done, for each k: no choice of replicas, no
 * order of readers and no way to share devices and links is faster.
 *
 * <p>By time t, the readers have at most V(t) bytes, the most that fits: a block counts up to its
 * size, a resource gives its capacity times t, and a reader spends no more than t on its replicas
 * together. When k readers are done, at least the k smallest files have been read: so that is at a
 * t with V(t) no less than those. V is a linear program; it is concave in t, so what a solution
 * says of the worth of time is never too little for another t. Newton's steps from below thus come
 * closer and never go too far. Nor are k readers done before the k-th would be that were each
 * alone.
 */
final class ReadLimit {
  private static final double PRECISION = 1e-9;
  private static final int STEPS_MAX = 100;

  private final ReadProblem problem;
  private final double[] capacities;
  private final double unitBytes;
  private final double unitSeconds;
  private final double[] secondsAlone;
  private final List<double[]> tangents = new ArrayList<>();

  private ReadLimit(ReadProblem problem) {
    this.problem = problem;
    this.capacities = problem.capacities(problem.readers());
    this.unitBytes = problem.bytes() / problem.readers().size();
    this.secondsAlone = problem.readers().stream().mapToDouble(this::secondsAlone).toArray();
    double bytesPerSecond = 0;
    for (int reader = 0; reader < secondsAlone.length; reader++) {
      bytesPerSecond += fastest(problem.readers().get(reader));
    }
    this.unitSeconds = problem.bytes() / bytesPerSecond;
    tangents.add(new double[] {0, problem.bytes() / unitBytes});
    Arrays.sort(secondsAlone);
  }

  private double secondsAlone(Reader reader) {
    return reader.blocks().stream()
        .mapToDouble(block -> block.bytes() / block.bytesPerSecondMax(capacities))
        .sum();
  }

  private double fastest(Reader reader) {
    return reader.blocks().stream()
        .mapToDouble(block -> block.bytesPerSecondMax(capacities))
        .max()
        .orElseThrow();
  }

  /** By k, from one reader to all, seconds from the common beginning. */
  static double[] secondsUntilDone(ReadProblem problem) {
    ReadLimit limit = new ReadLimit(problem);
    double[] files = problem.readers().stream().mapToDouble(Reader::bytes).sorted().toArray();
    double[] seconds = new double[files.length];
    double bytes = 0;
    for (int done = 0; done < files.length; done++) {
      bytes += files[done];
      double shared = limit.unitsUntil(bytes / limit.unitBytes) * limit.unitSeconds;
      seconds[done] = Math.max(shared, limit.secondsAlone[done]);
    }
    return seconds;
  }

  private double unitsUntil(double bytes) {
    double time = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      for (double[] tangent : tangents) {
        time = Math.max(time, (bytes - tangent[0]) / tangent[1]);
      }
      double[] tangent = tangentAt(time);
      if (tangent[0] + tangent[1] * time >= bytes * (1 - PRECISION)) {
        return time;
      }
      tangents.add(tangent);
    }
    return time;
  }

  /** V(t) is at most the first number plus t times the second, for any t; equal here. */
  private double[] tangentAt(double time) {
    List<Reader> readers = problem.readers();
    int resources = problem.resourceCount();
    int blocks = ReadProblem.blockCount(readers);
    int replicas = problem.replicaCount();
    Tableau tableau = new Tableau(replicas, resources + readers.size() + blocks);
    double[] sizes = new double[blocks];
    int block = 0;
    int replica = 0;
    for (int reader = 0; reader < readers.size(); reader++) {
      tableau.bound(resources + reader, time);
      for (Block each : readers.get(reader).blocks()) {
        int row = resources + readers.size() + block;
        sizes[block++] = each.bytes() / unitBytes;
        tableau.bound(row, each.bytes() / unitBytes);
        for (Path path : each.replicas()) {
          tableau.add(row, replica, 1);
          tableau.add(resources + reader, replica, secondsPerByte(path));
          for (int i = 0; i < path.resources().length; i++) {
            int resource = path.resources()[i];
            double seconds = path.unitsPerByte()[i] / capacities[resource];
            tableau.add(resource, replica, seconds * unitBytes / unitSeconds);
          }
          replica++;
        }
      }
    }
    for (int resource = 0; resource < resources; resource++) {
      tableau.bound(resource, time);
    }
    tableau.maximiseSum(0, replicas);
    double fixed = 0;
    for (int i = 0; i < blocks; i++) {
      fixed += sizes[i] * tableau.worth(resources + readers.size() + i);
    }
    double slope = 0;
    for (int row = 0; row < resources + readers.size(); row++) {
      slope += tableau.worth(row);
    }
    return new double[] {fixed, slope};
  }

  private double secondsPerByte(Path path) {
    return unitBytes / unitSeconds / path.bytesPerSecondMax(capacities);
  }
}
