package io.tierwise.hadoop.inspect.explain;

import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.client.ClientKeys;
import io.tierwise.hadoop.hdfs.client.ReadExplanation;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.NameNodePlugin;
import io.tierwise.hadoop.inspect.compliance.BlockFit;
import io.tierwise.hadoop.inspect.compliance.FileJudge;
import io.tierwise.hadoop.inspect.explain.Explanation.PlacedBy;
import io.tierwise.hadoop.inspect.explain.Explanation.Written;
import io.tierwise.hadoop.inspect.policy.NotEnforced;
import io.tierwise.hadoop.inspect.policy.PathPolicy;
import io.tierwise.policies.access.AccessStrategies;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/** Gathers what is known of a file: from the NameNode, and from this client's configuration. */
public final class FileExplainer {
  private final DistributedFileSystem fs;
  private final Configuration conf;
  private final NameNodePlugin plugin;
  private final NameNodePlugin.Answer nameNode;
  private final NameNodePlugin.Tiers tiers;
  private final FileJudge judge;
  private final AccessOfClient accessOfClient;
  private final FilesToExplain.Wish wish;

  /**
   * @param force with which the NameNode decides, as far as that is known
   */
  public FileExplainer(
      DistributedFileSystem fs,
      Configuration conf,
      NameNodePlugin.InForce force,
      AccessOfClient accessOfClient,
      FilesToExplain.Wish wish) {
    this.fs = fs;
    this.conf = conf;
    this.plugin = force.plugin();
    this.nameNode = force.active();
    this.tiers = force.tiers();
    this.judge = FileJudge.of(conf, nameNode, force.table());
    this.accessOfClient = accessOfClient;
    this.wish = wish;
  }

  /** The policy that places a file's blocks now. */
  private record Placer(PathPolicy policy, FileJudge.Reading reading, PlacedBy by, String reason) {
    boolean judges() {
      return reading != null && !reading.stock();
    }
  }

  public Explanation explain(Path full, HdfsFileStatus status) throws IOException {
    String plain = full.toUri().getPath();
    TierConfiguration table = tiers.configuration();
    PathPolicy policy = PathPolicy.placement(fs, full, table).orElse(null);
    Placer placer = placer(policy, status);
    List<String> malformed = new ArrayList<>();
    if (placer.reading() != null && placer.reading().problem() != null) {
      malformed.add(policy.origin() + " is ignored: " + placer.reading().problem());
    }
    PathPolicy access =
        wish.access() == null
            ? accessOfClient.of(fs, full)
            : new PathPolicy(wish.access(), "the option --access", false);
    malformed.addAll(accessOfClient.malformed());
    LocatedBlocks located = fs.getClient().getLocatedBlocks(plain, 0, Long.MAX_VALUE);
    List<Explanation.Block> blocks = blocks(plain, status, located, placer, access);
    BlockStoragePolicySpi storagePolicy = fs.getStoragePolicy(full);
    boolean erasureCoded = status.getErasureCodingPolicy() != null;
    Integer on = placer.judges() ? count(blocks, true) : null;
    Integer off = placer.judges() ? count(blocks, false) : null;
    return new Explanation(
        plain,
        status.getLen(),
        status.getReplication(),
        status.getBlockSize(),
        located.isUnderConstruction(),
        erasureCoded,
        storagePolicy.getName(),
        policy,
        placer.by(),
        placer.reason(),
        List.copyOf(malformed),
        Words.word(nameNode.state().name()),
        tiers.whose(),
        policy == null || policy.since() == null ? null : policy.since().time().toString(),
        on,
        off,
        off != null && off > 0 ? amounts(full, policy) : List.of(),
        access,
        erasureCoded ? 0 : moverWouldMove(located, storagePolicy),
        conf.get(ClientKeys.LOCATION),
        blocks);
  }

  /**
   * The limits and quotas that may be the reason. Nobody keeps which of them a replica met in the
   * past.
   */
  private List<NotEnforced.Gap> amounts(Path full, PathPolicy policy) {
    return new NotEnforced(fs, full, tiers.configuration(), policy.specification())
        .amounts(plugin, nameNode);
  }

  private Placer placer(PathPolicy policy, HdfsFileStatus status) {
    Optional<String> own = FileJudge.ownRules(status);
    if (own.isPresent()) {
      return new Placer(policy, null, PlacedBy.STOCK_HDFS, own.get());
    }
    if (policy == null) {
      return new Placer(null, null, PlacedBy.STOCK_HDFS, "no policy on the path");
    }
    FileJudge.Reading reading = judge.read(policy.specification());
    if (reading.stock()) {
      String reason = reading.problem() == null ? policy.origin() : "the policy is malformed";
      return new Placer(policy, reading, PlacedBy.STOCK_HDFS, reason);
    }
    return switch (nameNode.state()) {
      case RUNS -> new Placer(policy, reading, PlacedBy.POLICY, policy.origin());
      case MISSING ->
          new Placer(policy, reading, PlacedBy.STOCK_HDFS, "the NameNode runs without the plug-in");
      case UNKNOWN ->
          new Placer(
              policy,
              reading,
              PlacedBy.NOT_KNOWN,
              "whether the NameNode runs the plug-in could not be asked: " + nameNode.problem());
    };
  }

  private List<Explanation.Block> blocks(
      String plain,
      HdfsFileStatus status,
      LocatedBlocks located,
      Placer placer,
      PathPolicy access) {
    List<ReadExplanation.Block> ordered =
        new ReadExplanation(
                conf,
                tiers.configuration(),
                AccessStrategies.parse(access.specification()),
                wish.reader() != null)
            .explain(plain, located);
    List<Explanation.Block> blocks = new ArrayList<>();
    for (ReadExplanation.Block block : ordered) {
      boolean open = FileJudge.isBeingWritten(block.located(), located);
      blocks.add(block(blocks.size(), block, open, status, placer));
    }
    return blocks;
  }

  private Explanation.Block block(
      long index, ReadExplanation.Block block, boolean open, HdfsFileStatus status, Placer placer) {
    LocatedBlock located = block.located();
    BlockFit fit =
        placer.judges()
            ? judge.fit(placer.reading().policy(), status, index, located).orElse(null)
            : null;
    List<String> wanted = fit == null ? null : judge.wanted(fit);
    List<Explanation.Replica> replicas = new ArrayList<>();
    for (int i = 0; i < block.replicas().size(); i++) {
      replicas.add(
          replica(
              block.replicas().get(i),
              fit == null ? null : wanted.get(i),
              fit == null ? null : fit.fits().get(i)));
    }
    return new Explanation.Block(
        index,
        located.getBlock().getBlockName(),
        located.getBlockSize(),
        located.isCorrupt(),
        open,
        written(located, placer),
        replicas.isEmpty() ? "no replica is left" : block.reason().text(),
        replicas);
  }

  private static Written written(LocatedBlock block, Placer placer) {
    if (!placer.judges()) {
      return Written.NO_POLICY;
    }
    if (placer.policy().since() == null) {
      return Written.NOT_KNOWN;
    }
    return placer
        .policy()
        .since()
        .isOlder(block.getBlock())
        .map(older -> older ? Written.BEFORE_THE_POLICY : Written.AFTER_THE_POLICY)
        .orElse(Written.NOT_KNOWN);
  }

  private Explanation.Replica replica(
      ReadExplanation.Replica replica, String wanted, Boolean onTier) {
    DatanodeInfoWithStorage at = replica.location();
    TierConfiguration table = tiers.configuration();
    return new Explanation.Replica(
        replica.tier() < 0 ? null : table.table().tier(replica.tier()).name(),
        wanted,
        onTier,
        at.getHostName() + ":" + at.getXferPort(),
        at.getXferAddr(),
        at.getNetworkLocation(),
        judge.regionOf(at),
        String.valueOf(at.getStorageType()),
        at.getStorageID(),
        Words.word(at.getAdminState().toString()),
        replica.distance());
  }

  private static int count(List<Explanation.Block> blocks, boolean onTier) {
    int count = 0;
    for (Explanation.Block block : blocks) {
      for (Explanation.Replica replica : block.replicas()) {
        count += replica.onTier() != null && replica.onTier() == onTier ? 1 : 0;
      }
    }
    return count;
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
}
