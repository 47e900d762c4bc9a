package io.tierwise.simulator.workload.generated;

import io.tierwise.simulator.workload.JobSource;
import io.tierwise.simulator.workload.JobSpec;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Jobs that arrive when those before them are over, as the stages of a query or the actions of a
 * workflow do; those that wait for none, at the start.
 *
 * <p>Own: a job that failed is over, too. What reads its output then lacks blocks, and fails.
 */
final class GraphArrivals implements JobSource {
  private final JobMix mix;
  private final JobGraph graph;

  /** By node: nodes that it still waits for, and jobs of it that are not over. */
  private final int[] waitsFor;

  private final long[] notOver;

  /** Nodes whose jobs may arrive, since when. */
  private final ArrayDeque<Release> released = new ArrayDeque<>();

  private final Map<String, Integer> nodes = new HashMap<>();

  private record Release(int node, double atSeconds) {}

  GraphArrivals(JobMix mix, JobGraph graph) {
    this.mix = mix;
    this.graph = graph;
    this.waitsFor = new int[graph.nodeCount()];
    this.notOver = new long[graph.nodeCount()];
    for (int node = 0; node < waitsFor.length; node++) {
      waitsFor[node] = graph.waitsFor(node);
      notOver[node] = mix.left(node);
    }
    for (int node = 0; node < waitsFor.length; node++) {
      if (graph.waitsFor(node) == 0) {
        release(node, 0);
      }
    }
  }

  private void release(int node, double atSeconds) {
    if (notOver[node] == 0) {
      over(node, atSeconds);
    } else {
      released.add(new Release(node, atSeconds));
    }
  }

  private void over(int node, double atSeconds) {
    for (int other : graph.behind(node)) {
      if (--waitsFor[other] == 0) {
        release(other, atSeconds);
      }
    }
  }

  @Override
  public JobSpec next() {
    while (!released.isEmpty() && mix.left(released.peek().node()) == 0) {
      released.remove();
    }
    if (released.isEmpty()) {
      return null;
    }
    Release first = released.peek();
    int node = first.node();
    JobSpec job = mix.take(node).job(mix.taken(), first.atSeconds());
    nodes.put(job.name(), node);
    int writer = graph.writerFor(node);
    return writer == JobGraph.NONE
        ? job.withFiles(job.inputPath(), job.inputFileBytes(), graph.outputPath(node))
        : job.withFiles(
            graph.outputPath(writer), graph.writtenBytes(writer), graph.outputPath(node));
  }

  @Override
  public boolean finished(JobSpec job, double atSeconds) {
    int node = nodes.remove(job.name());
    if (--notOver[node] == 0) {
      over(node, atSeconds);
    }
    return !released.isEmpty();
  }

  @Override
  public double progress() {
    return mix.taken() / (double) mix.total();
  }

  @Override
  public void close() {}
}
