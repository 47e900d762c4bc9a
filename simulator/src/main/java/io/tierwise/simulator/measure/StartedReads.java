package io.tierwise.simulator.measure;

import io.tierwise.simulator.bound.ReadBound;
import io.tierwise.simulator.bound.ReadProblem;
import io.tierwise.simulator.cluster.PathBuffer;
import io.tierwise.simulator.cluster.Paths;
import io.tierwise.simulator.cluster.VirtualCluster;
import io.tierwise.simulator.engine.Ticks;
import io.tierwise.simulator.network.FlowNetwork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The readers that began, with the replicas that each could have read: the best rate that these
 * reads could have reached is computed from them. Bounded: of larger workloads it is not computed.
 */
public final class StartedReads {
  /** Own: readers that differ by less in their starts begin together. */
  private static final double TOGETHER_SHARE = 0.05;

  private final VirtualCluster cluster;
  private final List<Start> starts = new ArrayList<>();
  private int replicaCount;
  private double shortestSeconds = Double.POSITIVE_INFINITY;

  /** A task's input when it began to read. */
  private record Start(long tick, int job, int node, List<Block> blocks) {}

  private record Block(double bytes, int[] volumes) {}

  StartedReads(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  /** Whether starts are still written down. */
  public boolean isOpen() {
    return replicaCount <= ReadBound.REPLICAS_MAX;
  }

  /** A task begins to read its input; its blocks are told next. */
  public void began(long tick, int job, int node) {
    starts.add(new Start(tick, job, node, new ArrayList<>()));
  }

  /**
   * A block of what the last task reads.
   *
   * @param volumes of its replicas
   */
  public void block(long bytes, int... volumes) {
    starts.get(starts.size() - 1).blocks().add(new Block((double) bytes, volumes.clone()));
    replicaCount += volumes.length;
  }

  void ended(double seconds) {
    shortestSeconds = Math.min(shortestSeconds, seconds);
  }

  /**
   * All of it as a problem whose bound can be computed; empty when the reads belong to several
   * jobs, do not begin together, or are too many.
   */
  public Optional<ReadProblem> together(Paths paths, FlowNetwork network) {
    if (starts.isEmpty() || !isOpen() || !beginTogether()) {
      return Optional.empty();
    }
    ReadProblem problem = new ReadProblem();
    Map<Integer, Integer> numbers = new HashMap<>();
    PathBuffer path = new PathBuffer();
    for (Start start : starts) {
      problem.addReader();
      for (Block block : start.blocks()) {
        problem.addBlock(block.bytes());
        for (int volume : block.volumes()) {
          path.clear();
          paths.readDevice(path, volume, block.bytes(), 1);
          paths.connect(path, cluster.nodeOfVolume(volume), start.node(), 1);
          int[] resources = new int[path.length()];
          double[] units = new double[path.length()];
          for (int step = 0; step < resources.length; step++) {
            int resource = path.resource(step);
            resources[step] =
                numbers.computeIfAbsent(
                    resource, added -> problem.addResource(network.curve(added)));
            units[step] = path.unitsPerByte(step);
          }
          problem.addReplica(resources, units);
        }
      }
    }
    return Optional.of(problem);
  }

  private boolean beginTogether() {
    long first = starts.stream().mapToLong(Start::tick).min().orElseThrow();
    long last = starts.stream().mapToLong(Start::tick).max().orElseThrow();
    int job = starts.get(0).job();
    return starts.stream().allMatch(start -> start.job() == job)
        && Ticks.toSeconds(last - first) <= TOGETHER_SHARE * shortestSeconds;
  }
}
