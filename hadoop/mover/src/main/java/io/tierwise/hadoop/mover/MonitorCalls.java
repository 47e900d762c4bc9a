package io.tierwise.hadoop.mover;

import io.tierwise.core.message.OperatorException;
import io.tierwise.hadoop.hdfs.namenode.MonitorReport;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Question;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Result;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.State;
import io.tierwise.hadoop.hdfs.namenode.RepairCalls.Work;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.policies.movement.MovementLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The monitor in the active NameNode, as a mover asks it and tells it. */
final class MonitorCalls {
  private static final Logger LOG = LoggerFactory.getLogger(MonitorCalls.class);

  private final MoverCluster cluster;
  private final NameNodePlugin plugin;
  private final MovementLimits limits;

  /**
   * @throws OperatorException when the plug-in does not run
   */
  MonitorCalls(DistributedFileSystem fs, Configuration conf, MovementLimits limits)
      throws IOException {
    this.cluster = MoverCluster.of(fs, conf);
    this.plugin = new NameNodePlugin(fs, conf);
    this.limits = limits;
    if (!cluster.pluginRuns()) {
      throw OperatorException.cluster(
          cluster.active().whyNot() + ": the monitor that finds blocks to repair is in it", null);
    }
  }

  MoverCluster cluster() {
    return cluster;
  }

  List<Work> ask(int blocks, int leaseSeconds, State state) throws IOException {
    return ask(blocks, leaseSeconds, state, 0);
  }

  /**
   * Asks for blocks, and tells what the mover is at.
   *
   * @param yieldingNodes that served much else while moves waited at them
   */
  List<Work> ask(int blocks, int leaseSeconds, State state, int yieldingNodes) throws IOException {
    Question question =
        new Question(
            blocks,
            leaseSeconds,
            state,
            limits.nodeBytesPerSecond(),
            limits.allBytesPerSecond(),
            yieldingNodes);
    return RepairCalls.parse(plugin.answer(cluster.active(), question.format()));
  }

  /** Tells the NameNode that moves go on; one that is away hears it later. */
  void sign(int yieldingNodes) {
    try {
      ask(0, 0, State.MOVING, yieldingNodes);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot tell the NameNode that blocks are moved", e);
    }
  }

  void tell(List<Result> results) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(RepairCalls.TELL));
    results.forEach(result -> arguments.add(result.format()));
    plugin.answer(cluster.active(), arguments.toArray(new String[0]));
  }

  /** The monitor's figures, whatever they are worth. */
  MonitorReport figures() throws IOException {
    return MonitorReport.parse(plugin.answer(cluster.active(), RepairCalls.STATUS));
  }

  /**
   * The monitor's figures.
   *
   * @throws OperatorException when they would say nothing: the monitor is off, or has not looked at
   *     all files yet
   */
  MonitorReport requireLooked() throws IOException {
    MonitorReport monitor = figures();
    String blind = monitor.whyBlind();
    if (blind != null) {
      throw OperatorException.cluster(blind, null);
    }
    return monitor;
  }
}
