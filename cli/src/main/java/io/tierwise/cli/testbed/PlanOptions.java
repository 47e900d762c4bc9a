package io.tierwise.cli.testbed;

import io.tierwise.lab.testbed.plan.TestbedPlan;
import picocli.CommandLine.Option;

/** How large and how slow a testbed is to be. */
final class PlanOptions {
  @Option(
      names = "--racks",
      paramLabel = "COUNT",
      defaultValue = "3",
      description = "Racks (default: ${DEFAULT-VALUE}).")
  private int racks;

  @Option(
      names = "--nodes",
      paramLabel = "COUNT",
      defaultValue = "3",
      description = "DataNodes in each rack (default: ${DEFAULT-VALUE}).")
  private int nodesPerRack;

  @Option(
      names = "--scale-down",
      paramLabel = "FACTOR",
      defaultValue = "20",
      description = {
        "Speeds of devices and links are the real ones divided by this,"
            + " so that the processors are not the limit (default: ${DEFAULT-VALUE})."
      })
  private int scaleDown;

  @Option(
      names = "--link-megabits",
      paramLabel = "MBIT/S",
      defaultValue = "10000",
      description = "Speed of a node's link before scaling (default: ${DEFAULT-VALUE}).")
  private int linkMegabitsPerSecond;

  @Option(
      names = "--oversubscription",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description = {
        "A rack's uplink carries what its nodes can send, divided by this"
            + " (default: ${DEFAULT-VALUE})."
      })
  private int oversubscription;

  @Option(
      names = "--volume-megabytes",
      paramLabel = "MB",
      defaultValue = "2000",
      description = "Size of each volume, a sparse file (default: ${DEFAULT-VALUE}).")
  private int volumeMegabytes;

  @Option(names = "--stock", description = "Stock HDFS: load none of Tierwise's plug-ins.")
  private boolean stock;

  TestbedPlan plan(String name) {
    return new TestbedPlan(
        name,
        racks,
        nodesPerRack,
        scaleDown,
        linkMegabitsPerSecond,
        oversubscription,
        volumeMegabytes,
        !stock);
  }
}
