package io.tierwise.lab.dfsio;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.lab.SignalGuard;
import io.tierwise.policies.placement.PlacementPolicies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * TestDFSIO on a running cluster with all tasks in this process: placements and strategies against
 * each other, repeats in turns.
 */
public final class DfsioBench {
  private static final String STOCK = "stock";

  private final DfsioPlan plan;
  private final List<String> placements;
  private final List<String> strategies;
  private final int repeats;
  private final String directory;
  private final Configuration conf;
  private final Listener listener;
  private TierConfiguration tiers;
  private List<AccessRow> rows;
  private final List<String> remarks = new ArrayList<>();

  /**
   * @param directory where the files go; must not exist
   */
  public DfsioBench(
      DfsioPlan plan,
      List<String> placements,
      List<String> strategies,
      int repeats,
      String directory,
      Configuration conf,
      Listener listener) {
    if (repeats < 1) {
      throw OperatorException.badInput("--repeats is " + repeats + ": give at least 1");
    }
    strategies.forEach(ClientKeysFor::access);
    // The cluster's tiers, which settings name, are known when it is asked.
    placements.stream()
        .filter(each -> !each.equals(STOCK))
        .forEach(PlacementPolicies::requireKnown);
    if (!directory.startsWith("/")) {
      throw OperatorException.badInput(
          "--directory is " + directory + ": give a path that begins with /");
    }
    this.plan = plan;
    this.placements = List.copyOf(placements);
    this.strategies = List.copyOf(strategies);
    this.repeats = repeats;
    this.directory = directory;
    this.conf = conf;
    this.listener = listener;
  }

  /** The plan of a bench; bytes before replication. */
  public record Work(
      String fileSystem,
      String directory,
      int fileCount,
      int replication,
      long writtenBytes,
      long readBytes) {
    /** For people. */
    public String text() {
      return String.format(
          Locale.ROOT,
          "would write %s in %d files (x %d replicas) to %s on %s, then read %s, and remove them",
          Words.bytes(writtenBytes),
          fileCount,
          replication,
          directory,
          fileSystem,
          Words.bytes(readBytes));
    }
  }

  /** The plan that {@link #run} would follow. */
  public Work work() {
    int runs = placements.size() * repeats;
    long written = plan.totalBytes() * runs;
    return new Work(
        conf.get("fs.defaultFS"),
        directory,
        plan.taskCount() * runs,
        plan.replication(),
        written,
        written * strategies.size());
  }

  /**
   * Measures all.
   *
   * @param admin a plain client of the cluster
   * @return nothing when a signal ended it; the files are gone either way
   * @throws OperatorException when a placement or a strategy would be measured as stock HDFS under
   *     its name
   */
  public Optional<List<BenchRow>> run(DistributedFileSystem admin) throws IOException {
    tiers = tiersThatDecide(admin);
    rows = AccessRow.of(strategies, admin, conf, remarks);
    Runnable late = () -> listener.say("its files may be left: remove " + directory);
    try (SignalGuard guard = new SignalGuard(late)) {
      DfsioFolder folder = DfsioFolder.take(admin, directory);
      try (folder) {
        return Optional.of(measure(admin));
      } catch (IOException | RuntimeException e) {
        if (!guard.signalled()) {
          throw e;
        }
        listener.say(
            "interrupted: no figures; "
                + (folder.removed() ? "its files are removed" : "remove " + directory));
        return Optional.empty();
      }
    }
  }

  /** Why the NameNode refused a file; its least size of a block is told in no other way. */
  public static Optional<String> blocksTooSmall(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      String said = String.valueOf(cause.getMessage());
      if (said.contains(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY)) {
        return said.lines().findFirst();
      }
    }
    return Optional.empty();
  }

  /** The tiers of the cluster that was measured, fastest first. */
  public List<String> tierNames() {
    return tiers.table().tiers().stream().map(Tier::name).toList();
  }

  /** The tier table in force. */
  private TierConfiguration tiersThatDecide(DistributedFileSystem admin) throws IOException {
    NameNodePlugin.InForce force = NameNodePlugin.inForce(admin, conf);
    NameNodePlugin.Answer active = force.active();
    TierConfiguration inForce = force.table();
    for (String placement : placements) {
      if (placement.equals(STOCK)) {
        continue;
      }
      PlacementPolicies.parse(placement, inForce.table(), inForce.layouts());
      if (!active.runs()) {
        throw OperatorException.cluster(
            active.whyNot()
                + ": "
                + placement
                + " would be measured as stock HDFS (install the plug-in, or leave it out)",
            null);
      }
    }
    return inForce;
  }

  private List<BenchRow> measure(DistributedFileSystem admin) throws IOException {
    BenchPlace here = here(admin.getDataNodeStats());
    DfsioComparison comparison =
        new DfsioComparison(
            plan, List.of(here), place -> new Configuration(conf), tiers, listener::begin);
    for (int repeat = 0; repeat < repeats; repeat++) {
      for (String placement : placements) {
        Path folder = new Path(directory, "run-" + comparison.writeCount());
        admin.mkdirs(folder);
        // Stock, too: else a policy of a directory above, or a rule, would place its files.
        set(admin, folder, ClientKeysFor.PLACEMENT_ATTRIBUTE, placement);
        DfsioComparison.Files files =
            comparison.run(placement, List.of(), folder.toUri().getPath(), admin);
        for (AccessRow row : rows) {
          if (!row.isStock()) {
            set(admin, folder, ClientKeys.ATTRIBUTE, row.strategy());
          }
          comparison.read(placement, row.name(), row.keys(), files.reads());
        }
        admin.delete(folder, true);
      }
    }
    remarks.forEach(listener::say);
    return comparison.rows();
  }

  private static void set(DistributedFileSystem admin, Path folder, String attribute, String spec)
      throws IOException {
    admin.setXAttr(folder, attribute, spec.getBytes(StandardCharsets.UTF_8));
  }

  private static BenchPlace here(DatanodeInfo[] nodes) throws IOException {
    List<String> addresses = new ArrayList<>();
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(InetAddress::getHostAddress)
        .forEach(addresses::add);
    for (DatanodeInfo node : nodes) {
      if (addresses.contains(node.getIpAddr())) {
        return new BenchPlace(node.getHostName(), node.getIpAddr(), node.getNetworkLocation());
      }
    }
    InetAddress local = InetAddress.getLocalHost();
    return new BenchPlace(local.getHostName(), local.getHostAddress(), "");
  }
}
