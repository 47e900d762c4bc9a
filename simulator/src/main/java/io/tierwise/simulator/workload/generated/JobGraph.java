package io.tierwise.simulator.workload.generated;

import io.tierwise.core.message.Nearest;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Edges;
import io.tierwise.simulator.scenario.WorkloadSpec.Applications.Share;
import io.tierwise.simulator.workload.Precedence;
import io.tierwise.simulator.workload.StageGraph;
import io.tierwise.simulator.workload.WorkloadException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which jobs of applications come after which, and which read what another one wrote. Equal jobs
 * are one node, whose number is their place in the list.
 */
final class JobGraph {
  /** Stands for no node. */
  static final int NONE = -1;

  private final List<Share> shares;
  private final JobMix mix;
  private final Map<String, Integer> byName = new LinkedHashMap<>();

  /** By node: those that have to be over before it, and those that it has to be over before. */
  private final List<Set<Integer>> before = new ArrayList<>();

  private final List<List<Integer>> behind = new ArrayList<>();

  private JobGraph(List<Share> shares, JobMix mix) {
    this.shares = shares;
    this.mix = mix;
  }

  /**
   * The graph of some jobs.
   *
   * @throws WorkloadException when a name is not known or stands twice, when jobs wait for
   *     themselves, or when a job has too little to read
   */
  static JobGraph of(List<Share> shares, JobMix mix) throws WorkloadException {
    JobGraph graph = new JobGraph(shares, mix);
    for (int node = 0; node < shares.size(); node++) {
      String name = shares.get(node).edges().name();
      if (!name.isEmpty() && graph.byName.put(name, node) != null) {
        throw new WorkloadException("two jobs have the name '" + name + "': name each once");
      }
      graph.behind.add(new ArrayList<>());
    }
    for (int node = 0; node < shares.size(); node++) {
      graph.connect(node);
    }
    graph.requireNoCycle();
    return graph;
  }

  private void connect(int node) throws WorkloadException {
    Edges edges = shares.get(node).edges();
    Set<Integer> first = new TreeSet<>();
    for (String name : edges.after()) {
      first.add(find(name, "after"));
    }
    if (!edges.reads().isEmpty()) {
      int writer = find(edges.reads(), "reads");
      first.add(writer);
      requireEnough(node, writer);
    }
    before.add(first);
    first.forEach(other -> behind.get(other).add(node));
  }

  private int find(String name, String key) throws WorkloadException {
    Integer node = byName.get(name);
    if (node == null) {
      throw new WorkloadException(
          key
              + " names '"
              + name
              + "', which is the name of no job"
              + Nearest.hint(name, byName.keySet()));
    }
    return node;
  }

  private void requireEnough(int node, int writer) throws WorkloadException {
    String reads =
        shares.get(node).application() + " reads '" + shares.get(writer).edges().name() + "'";
    if (!shares.get(node).stages().isEmpty()) {
      throw new WorkloadException(
          reads + ", but its stages say what they read: write after in the place of reads");
    }
    long writers = StageGraph.writers(shares.get(writer).stages());
    if (writers > 1) {
      throw new WorkloadException(
          reads + ", of which " + writers + " stages write output: let one stage write all of it");
    }
    if (shares.get(writer).count() != 1) {
      throw new WorkloadException(
          reads + ", which is the name of several jobs: give these the count 1");
    }
    long wanted = mix.at(node).inputBytes();
    if (wanted == 0) {
      throw new WorkloadException(reads + ", but has no input: write after in the place of reads");
    }
    if (wanted > writtenBytes(writer)) {
      throw new WorkloadException(
          reads
              + ", which writes "
              + writtenBytes(writer)
              + " bytes, and needs "
              + wanted
              + ": make its scale smaller");
    }
  }

  private void requireNoCycle() throws WorkloadException {
    List<Integer> cycle = Precedence.of(before).cycle();
    if (!cycle.isEmpty()) {
      String names =
          cycle.stream()
              .map(node -> "'" + shares.get(node).edges().name() + "'")
              .collect(Collectors.joining(" after "));
      throw new WorkloadException(
          "jobs wait for themselves: " + names + "; remove one of these from after or reads");
    }
  }

  /** How many nodes have to be over before a node. */
  int waitsFor(int node) {
    return before.get(node).size();
  }

  /** The nodes that wait for a node. */
  List<Integer> behind(int node) {
    return behind.get(node);
  }

  /** The node whose output a node reads, or {@link #NONE}. */
  int writerFor(int node) {
    String reads = shares.get(node).edges().reads();
    return reads.isEmpty() ? NONE : byName.get(reads);
  }

  /** Bytes that each job of a node writes. */
  long writtenBytes(int node) {
    return mix.at(node).outputBytes();
  }

  /** What the output of the one job of a node is called; empty where nobody could name it. */
  String outputPath(int node) {
    String name = shares.get(node).edges().name();
    return name.isEmpty() || shares.get(node).count() != 1 ? "" : "/workload/output/" + name;
  }

  int nodeCount() {
    return before.size();
  }
}
