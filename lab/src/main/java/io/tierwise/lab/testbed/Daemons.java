package io.tierwise.lab.testbed;

import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import io.tierwise.lab.testbed.host.NodeHttp;
import io.tierwise.lab.testbed.host.NodeProcesses;
import io.tierwise.lab.testbed.plan.HadoopConfiguration;
import io.tierwise.lab.testbed.plan.NodePlan;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Starts the NameNode and the DataNodes, and waits until they serve. */
public final class Daemons {
  private static final int NAME_NODE_HEAP_MEGABYTES = 200;
  private static final int DATA_NODE_HEAP_MEGABYTES = 128;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final String NAME_NODE_MAIN = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String DATA_NODE_MAIN = "org.apache.hadoop.hdfs.server.datanode.DataNode";

  private final TestbedPlan plan;
  private final Path logs;
  private final NodeProcesses processes;
  private final JavaCommand java;

  Daemons(TestbedPlan plan, Path folder, NodeProcesses processes) {
    this.plan = plan;
    this.logs = folder.resolve("logs");
    this.processes = processes;
    this.java = new JavaCommand(new HadoopConfiguration(plan, folder));
  }

  /** Formats and starts a NameNode, starts all DataNodes, and returns when all are registered. */
  Map<String, ProcessIdentity> startAll() {
    try {
      Files.createDirectories(logs);
    } catch (IOException e) {
      throw OperatorException.cluster("cannot make " + logs + ": " + e.getMessage(), e);
    }
    format(plan.nameNode());
    Map<String, ProcessIdentity> started = new LinkedHashMap<>();
    plan.nodes().forEach(node -> started.put(node.name(), start(node)));
    awaitLive(started);
    return started;
  }

  /** Starts the daemon of a node on the data that is there. */
  public ProcessIdentity start(NodePlan node) {
    List<String> command =
        node.isNameNode()
            ? java.of(node, NAME_NODE_HEAP_MEGABYTES, NAME_NODE_MAIN)
            : java.of(node, DATA_NODE_HEAP_MEGABYTES, DATA_NODE_MAIN);
    return processes.startDaemon(node.name(), command, log(node, "daemon"));
  }

  private void format(NodePlan nameNode) {
    List<String> command =
        java.of(
            nameNode,
            NAME_NODE_HEAP_MEGABYTES,
            NAME_NODE_MAIN,
            "-format",
            "-force",
            "-nonInteractive");
    Path log = log(nameNode, "format");
    ProcessIdentity format = processes.startDaemon(nameNode.name(), command, log);
    await("the NameNode to be formatted", log, () -> !format.isAlive());
  }

  /** Waits until the NameNode counts all DataNodes as live and has left safe mode. */
  void awaitLive(Map<String, ProcessIdentity> started) {
    int dataNodes = plan.dataNodes().size();
    await(
        dataNodes + " DataNodes to register",
        logs,
        () -> {
          started.forEach(this::requireAlive);
          return NameNodeProbe.ask(plan)
              .filter(state -> state.liveDataNodes() >= dataNodes && !state.safeMode())
              .isPresent();
        });
  }

  /** Waits until a DataNode has said hello to the NameNode and serves its blocks. */
  void awaitServing(NodePlan node, ProcessIdentity process) {
    await(
        "the DataNode of " + node.name() + " to register",
        log(node, "daemon"),
        () -> {
          requireAlive(node.name(), process);
          return NodeHttp.get(
                  plan,
                  node.name(),
                  node.address(),
                  HadoopConfiguration.DATA_NODE_HTTP_PORT,
                  "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo")
              .filter(info -> info.contains("RUNNING"))
              .isPresent();
        });
  }

  private void requireAlive(String node, ProcessIdentity process) {
    if (!process.isAlive()) {
      throw OperatorException.cluster(
          "the daemon of node " + node + " ended: see " + logs.resolve(node + "-daemon.log"), null);
    }
  }

  private static void await(String what, Path log, BooleanSupplier condition) {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw OperatorException.cluster(
            "waited " + START_TIMEOUT.toSeconds() + " s for " + what + ": see " + log, null);
      }
      try {
        Thread.sleep(200);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw OperatorException.cluster("interrupted while waiting for " + what, e);
      }
    }
  }

  private Path log(NodePlan node, String what) {
    return logs.resolve(node.name() + "-" + what + ".log");
  }
}
