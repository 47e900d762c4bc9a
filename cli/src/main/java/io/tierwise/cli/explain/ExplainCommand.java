package io.tierwise.cli.explain;

import io.tierwise.cli.OperatorException;
import io.tierwise.cli.cluster.ClusterOptions;
import io.tierwise.cli.output.Output;
import io.tierwise.cli.output.TextTable;
import io.tierwise.cli.policy.PathPolicy;
import io.tierwise.hadoop.hdfs.client.ReadExplanation;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.AccessStrategies;
import io.tierwise.policies.access.AccessStrategy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints every block and replica of a file, why it is there and what would be read. */
@Command(
    name = "explain",
    description = {
      "Prints every block and replica of a file: tier, node, rack, region; the rule that placed it;"
          + " and which replica would be read first, and why.",
      "Replicas stand in the order in which a reader would ask them."
    },
    mixinStandardHelpOptions = true)
public final class ExplainCommand implements Callable<Integer> {
  private static final String LOCATION_KEY = "tierwise.client.location";
  private static final String STRATEGY_KEY = "tierwise.access.strategy";

  @Mixin private ClusterOptions cluster;
  @Mixin private Output output;

  @Parameters(paramLabel = "PATH", description = "A file.")
  private String path;

  @Option(
      names = "--access",
      paramLabel = "SPEC",
      description = "Explain this access strategy instead of the path's own.")
  private String access;

  @Option(
      names = "--reader",
      paramLabel = "RACK/HOST",
      description =
          "Take the reader to be there, for example /rack1/host1 (default: this machine).")
  private String reader;

  @Override
  public Integer call() throws IOException {
    Configuration conf = cluster.configuration();
    // Ask for the NameNode's own order: the strategy is applied here, where its reason is seen.
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    if (reader != null) {
      conf.set(LOCATION_KEY, reader);
    }
    TierConfiguration tiers = TierConfiguration.load(conf);
    try (DistributedFileSystem fs = cluster.connect(conf)) {
      Explanation explanation = explain(fs, conf, tiers);
      if (output.json()) {
        output.printJson(explanation);
      } else {
        print(explanation);
      }
    }
    return 0;
  }

  private Explanation explain(DistributedFileSystem fs, Configuration conf, TierConfiguration tiers)
      throws IOException {
    Path full = fs.getFileStatus(new Path(path)).getPath();
    String plain = Path.getPathWithoutSchemeAndAuthority(full).toString();
    HdfsFileStatus status = fs.getClient().getFileInfo(plain);
    if (status.isDirectory()) {
      throw OperatorException.badInput(
          path + " is a directory: name a file, or use 'tierwise policy get " + path + "'");
    }
    PathPolicy chosen = accessPolicy(fs, full, conf, tiers);
    AccessStrategy strategy = AccessStrategies.parse(chosen.specification());
    LocatedBlocks located = fs.getClient().getLocatedBlocks(plain, 0, Long.MAX_VALUE);
    List<ReadExplanation.Block> explained =
        new ReadExplanation(conf, tiers, strategy).explain(plain, located);
    List<Explanation.Block> blocks = new ArrayList<>();
    for (ReadExplanation.Block block : explained) {
      blocks.add(block(blocks.size(), block, tiers));
    }
    BlockStoragePolicySpi storagePolicy = fs.getStoragePolicy(full);
    boolean erasureCoded = status.getErasureCodingPolicy() != null;
    return new Explanation(
        plain,
        status.getLen(),
        status.getReplication(),
        status.getBlockSize(),
        storagePolicy.getName(),
        erasureCoded,
        erasureCoded ? null : PathPolicy.placement(fs, full, tiers).orElse(null),
        chosen,
        erasureCoded ? 0 : moverWouldMove(located, storagePolicy),
        conf.get(LOCATION_KEY, "this machine"),
        blocks);
  }

  private PathPolicy accessPolicy(
      DistributedFileSystem fs, Path full, Configuration conf, TierConfiguration tiers)
      throws IOException {
    if (access != null) {
      return new PathPolicy(access, "the option --access", false);
    }
    return PathPolicy.access(fs, full, tiers)
        .orElseGet(
            () ->
                new PathPolicy(
                    conf.getTrimmed(STRATEGY_KEY, "network-aware"),
                    conf.get(STRATEGY_KEY) == null ? "HDFS's own order" : "the key " + STRATEGY_KEY,
                    false));
  }

  /** Replicas that HDFS's Mover would put on another storage type. */
  private static int moverWouldMove(LocatedBlocks blocks, BlockStoragePolicySpi policy) {
    if (!(policy instanceof BlockStoragePolicy hdfsPolicy)) {
      return 0;
    }
    int moved = 0;
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      StorageType[] types = block.getStorageTypes();
      List<StorageType> wanted =
          new ArrayList<>(hdfsPolicy.chooseStorageTypes((short) types.length));
      for (StorageType type : types) {
        if (!wanted.remove(type)) {
          moved++;
        }
      }
    }
    return moved;
  }

  private static Explanation.Block block(
      long index, ReadExplanation.Block block, TierConfiguration tiers) {
    List<Explanation.Replica> replicas = new ArrayList<>();
    for (ReadExplanation.Replica replica : block.replicas()) {
      DatanodeInfoWithStorage at = replica.location();
      replicas.add(
          new Explanation.Replica(
              replica.tier() < 0 ? "-" : tiers.table().tier(replica.tier()).name(),
              at.getHostName() + ":" + at.getXferPort(),
              at.getNetworkLocation(),
              region(at.getNetworkLocation()),
              String.valueOf(at.getStorageType()),
              at.getStorageID(),
              at.getAdminState().toString().toLowerCase(Locale.ROOT),
              replica.distance()));
    }
    return new Explanation.Block(
        index,
        block.located().getBlock().getBlockName(),
        block.located().getBlockSize(),
        block.located().isCorrupt(),
        replicas.isEmpty() ? "no replica is left" : block.reason().text(),
        replicas);
  }

  /** The first part of a location with two or more parts; a flat cluster has one region. */
  private static String region(String networkLocation) {
    int end = networkLocation.indexOf('/', 1);
    return end < 0 ? "-" : networkLocation.substring(1, end);
  }

  private void print(Explanation file) {
    output
        .out()
        .printf(
            Locale.ROOT,
            "%s: %s, replication %d, block size %s, storage policy %s%n",
            file.path(),
            Output.bytes(file.lengthBytes()),
            file.replication(),
            Output.bytes(file.blockBytes()),
            file.storagePolicy());
    output.out().println("placed by: " + placedBy(file));
    output
        .out()
        .println(
            "read by: "
                + file.access().specification()
                + " ("
                + file.access().origin()
                + "), reader at "
                + file.reader());
    if (file.moverWouldMove() > 0 && file.placement() != null) {
      output
          .out()
          .println(
              "note: HDFS's Mover obeys the storage policy "
                  + file.storagePolicy()
                  + " and would move "
                  + file.moverWouldMove()
                  + " of these replicas: keep it off this path");
    }
    TextTable table =
        new TextTable()
            .right("block")
            .right("ask")
            .left("tier")
            .left("node")
            .left("rack")
            .left("region")
            .left("state")
            .left("distance")
            .left("why first");
    for (Explanation.Block block : file.blocks()) {
      int turn = 1;
      for (Explanation.Replica replica : block.replicas()) {
        table.row(
            turn == 1 ? block.index() : "",
            turn,
            replica.tier(),
            replica.node(),
            replica.rack(),
            replica.region(),
            block.corrupt() ? "corrupt" : replica.state(),
            distance(replica.distance()),
            turn == 1 ? block.reason() : "");
        turn++;
      }
      if (block.replicas().isEmpty()) {
        table.row(block.index(), "", "-", "-", "-", "-", "missing", "-", block.reason());
      }
    }
    table.print(output.out());
  }

  private static String placedBy(Explanation file) {
    if (file.erasureCoded()) {
      return "stock HDFS (erasure-coded files are HDFS's own)";
    }
    return file.placement() == null
        ? "stock HDFS (no policy on the path)"
        : file.placement().specification() + " (" + file.placement().origin() + ")";
  }

  private static String distance(int hops) {
    return switch (hops) {
      case 0 -> "local";
      case 2 -> "rack";
      case 4 -> "remote";
      default -> hops + " hops";
    };
  }
}
