package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The policy that holds for a new block on a real HDFS, and what becomes of it. */
class PlacementIT {
  private static final int BLOCKS = 4;
  private static final String TIERS =
      TieredCluster.THREE_TIERS
          + """
          layouts:
            two-fast: 2 x fast on different racks + 1 x slow
          rules:
            - path: /ruled
              placement: network-aware:tiers=slow
          limits:
            - users: [bob]
              tiers: [slow]
            - paths: [/frugal]
              tiers: [middle, slow]
          """;

  private static TieredCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        TieredCluster.start(
            TieredCluster.settings(TIERS),
            "/east/r1",
            "/east/r1",
            "/east/r2",
            "/east/r2",
            "/east/r2",
            "/west/r3",
            "/west/r3",
            "/west/r4",
            "/west/r4");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void forgetPlants() {
    cluster.host().useRandom(SplittableRandom::new);
    cluster.host().listen(null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hybrid | fast middle slow",
        "tier-aware | fast middle slow",
        "layout:two-fast | fast fast slow",
        "layout:1 x slow + 2 x middle | middle middle slow",
        "network-aware:tiers=slow | slow slow slow",
        "zone-ratio:fast=1,middle+slow=0 | fast fast fast",
      })
  void everyReplicaIsInTheTierThatThePolicyPromises(String policy, String tiers)
      throws IOException {
    Path file =
        new Path(
            cluster.directory("/promise-" + Integer.toHexString(policy.hashCode()), policy),
            "file");
    cluster.write(file, BLOCKS, 3);
    for (LocatedBlock block : cluster.blocks(file)) {
      assertThat(TieredCluster.tiers(block)).isEqualTo(tiers);
      assertThat(TieredCluster.racks(block)).isGreaterThanOrEqualTo(2);
      assertThat(Arrays.stream(block.getLocations()).distinct()).hasSize(3);
    }
    cluster.assertWhole(file, BLOCKS);
  }

  @Test
  void regionAwareKeepsAWholeCopyInEachRegion() throws IOException {
    Path file = new Path(cluster.directory("/regions", "region-aware"), "file");
    cluster.write(file, BLOCKS, 2);
    for (LocatedBlock block : cluster.blocks(file)) {
      assertThat(Arrays.stream(block.getLocations()).map(PlacementIT::region))
          .containsExactlyInAnyOrder("east", "west");
    }
  }

  @Test
  void regionAwareKeepsAWholeCopyInTheHomeRegionWhenReplicasAreDropped() throws IOException {
    Path file = new Path(cluster.directory("/thinned", "region-aware"), "file");
    cluster.write(file, 12, 2);
    cluster.replicate(1, file);
    assertThat(cluster.blocks(file).stream().map(block -> region(block.getLocations()[0])))
        .hasSize(12)
        .containsOnly(region(cluster.blocks(file).get(0).getLocations()[0]));
    cluster.assertWhole(file, 12);
  }

  private static String region(DatanodeInfo node) {
    return node.getNetworkLocation().split("/")[1];
  }

  @Test
  void randomUsesEveryTier() throws IOException {
    Path file = new Path(cluster.directory("/random", "random"), "file");
    cluster.write(file, 20, 3);
    assertThat(String.join(" ", cluster.tiersOfBlocks(file))).contains("fast", "middle", "slow");
    cluster.assertWhole(file, 20);
  }

  @Test
  void zoneRatioHoldsAtEveryBlockOfAGrowingFile() throws IOException {
    Path file = new Path(cluster.directory("/ratio", "zone-ratio:fast=0.3,middle+slow=0.7"), "f");
    cluster.write(file, 11, 2);
    List<String> tiers = cluster.tiersOfBlocks(file);
    for (int n = 1; n <= tiers.size(); n++) {
      long fast = tiers.subList(0, n).stream().filter("fast fast"::equals).count();
      assertThat(fast).isEqualTo((long) Math.ceil(0.3 * n));
    }
  }

  @Test
  void blockOfAFileThatIsNotAtItsPathIsLeftToStockInsteadOfTakenForTheFirst() throws IOException {
    Path gone = new Path(cluster.directory("/moved", "zone-ratio:fast=0.3,middle+slow=0.7"), "f");
    long before = cluster.counters().stockCount(StockReason.FILE_UNKNOWN);
    List<DecisionKind> kinds =
        List.of(DecisionKind.NEW_BLOCK, DecisionKind.PIPELINE_REPAIR, DecisionKind.RECONSTRUCTION);
    for (DecisionKind kind : kinds) {
      assertThat(resolve(gone, kind, null)).as("%s", kind).isNull();
    }
    assertThat(cluster.counters().stockCount(StockReason.FILE_UNKNOWN)).isEqualTo(before + 3);
    assertThat(resolve(gone, DecisionKind.GATEWAY, null)).isNotNull();
  }

  private static ManagedFile resolve(Path path, DecisionKind kind, DatanodeDescriptor source) {
    return cluster
        .host()
        .paths()
        .resolve(
            path.toUri().getPath(),
            new PathPolicies.Occasion(kind, source, TieredCluster.BLOCK_BYTES));
  }

  @Test
  void copyOfABlockWithoutALiveReplicaIsKnownByTheStoragesOfItsSource() throws IOException {
    Path file = new Path(cluster.directory("/single", "zone-ratio:fast=0.5,middle+slow=0.5"), "f");
    cluster.write(file, 6, 1);
    for (LocatedBlock block : cluster.blocks(file)) {
      DatanodeDescriptor source =
          cluster
              .mini()
              .getNamesystem()
              .getBlockManager()
              .getDatanodeManager()
              .getDatanode(block.getLocations()[0].getDatanodeUuid());
      ManagedFile managed = resolve(file, DecisionKind.RECONSTRUCTION, source);
      assertThat(managed.sources().stream().map(DatanodeStorageInfo::getStorageID))
          .contains(block.getStorageIDs()[0]);
      assertThat(managed.sources())
          .allMatch(storage -> storage.getDatanodeDescriptor().equals(source));
      assertThat(managed.file().replicaCount()).isEqualTo(1);
    }
  }

  @Test
  void pathWithoutPolicyIsPlacedAsItsStoragePolicySays() throws IOException {
    long decisions = decisions();
    Path file = new Path(cluster.directory("/unmanaged", null), "file");
    cluster.write(file, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    Path ssd = new Path(cluster.directory("/unmanaged-one-ssd", null), "file");
    cluster.files().setStoragePolicy(ssd.getParent(), "ONE_SSD");
    cluster.write(ssd, BLOCKS, 3);
    assertThat(cluster.tiersOfBlocks(ssd)).containsOnly("fast middle middle");
    cluster.assertWhole(file, BLOCKS);
    assertThat(decisions()).isEqualTo(decisions);
  }

  private static long decisions() {
    return cluster.counters().decisions().values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void nameNodeDecidesAsThePolicyDoesWhenAskedDirectlyWithTheSameViewAndSeed() throws IOException {
    PlacementPolicy direct =
        PlacementPolicies.parse("hybrid", TierConfiguration.parse(TIERS, "test").table());
    List<List<String>> decided = Collections.synchronizedList(new ArrayList<>());
    List<Place> inNameNode = Collections.synchronizedList(new ArrayList<>());
    List<Place> directly = Collections.synchronizedList(new ArrayList<>());
    Path file = new Path(cluster.directory("/same", "hybrid"), "file");
    cluster.host().useRandom(() -> new SplittableRandom(17));
    cluster
        .host()
        .listen(
            (managed, request, view, decision) -> {
              if (managed.path().equals(file.toUri().getPath())) {
                inNameNode.add(decision);
                directly.add(direct.place(request, view, new SplittableRandom(17)));
                decided.add(
                    decision.choices().stream().map(c -> view.volumeName(c.volume())).toList());
              }
            });
    cluster.write(file, BLOCKS, 3);
    assertThat(inNameNode).hasSize(BLOCKS).isEqualTo(directly);
    List<LocatedBlock> blocks = cluster.blocks(file);
    for (int i = 0; i < BLOCKS; i++) {
      assertThat(blocks.get(i).getStorageIDs()).containsExactlyInAnyOrderElementsOf(decided.get(i));
    }
  }

  @Test
  void nearestAttributeWinsAndStockEndsAPolicy() throws IOException {
    cluster.directory("/tree", "network-aware:tiers=slow");
    Path below = new Path(cluster.directory("/tree/a/b", null), "inherits");
    Path nearer = new Path(cluster.directory("/tree/fast", "network-aware:tiers=fast"), "nearer");
    Path ended = new Path(cluster.directory("/tree/fast/stock", "stock"), "ended");
    for (Path file : List.of(below, nearer, ended)) {
      cluster.write(file, 1, 3);
    }
    assertThat(cluster.tiersOfBlocks(below)).containsExactly("slow slow slow");
    assertThat(cluster.tiersOfBlocks(nearer)).containsExactly("fast fast fast");
    assertThat(cluster.tiersOfBlocks(ended)).containsExactly("middle middle middle");
  }

  @Test
  void ruleHoldsForItsPathsUnlessAnAttributeSaysOtherwise() throws IOException {
    Path ruled = new Path(cluster.directory("/ruled/deep", null), "file");
    Path own = new Path(cluster.directory("/ruled/own", "network-aware:tiers=fast"), "file");
    Path beside = new Path(cluster.directory("/ruledbeside", null), "file");
    for (Path file : List.of(ruled, own, beside)) {
      cluster.write(file, 1, 3);
    }
    assertThat(cluster.tiersOfBlocks(ruled)).containsExactly("slow slow slow");
    assertThat(cluster.tiersOfBlocks(own)).containsExactly("fast fast fast");
    assertThat(cluster.tiersOfBlocks(beside)).containsExactly("middle middle middle");
  }

  @Test
  void onlyWhoMayWriteAFileMaySetItsPolicy() throws Exception {
    Path directory = cluster.directory("/owned-by-root", null);
    UserGroupInformation alice =
        UserGroupInformation.createUserForTesting("alice", new String[] {"people"});
    assertThatThrownBy(
            () ->
                alice.doAs(
                    (PrivilegedExceptionAction<Void>)
                        () -> {
                          FileSystem files = FileSystem.newInstance(cluster.files().getConf());
                          files.setXAttr(directory, TieredCluster.ATTRIBUTE, new byte[] {'x'});
                          return null;
                        }))
        .isInstanceOf(AccessControlException.class);
    assertThat(cluster.files().getXAttrs(directory)).isEmpty();
  }

  @Test
  void policyThatNamesATierTheOwnerMayNotUseIsIgnoredAndCounted() throws Exception {
    Path directory = cluster.directory("/limited", "hybrid");
    cluster.files().setPermission(directory, FsPermission.createImmutable((short) 0777));
    Path allowed = cluster.directory("/limited/slow", "network-aware:tiers=slow");
    cluster.files().setPermission(allowed, FsPermission.createImmutable((short) 0777));
    long before = cluster.counters().stockCount(StockReason.LIMITED);
    UserGroupInformation.createUserForTesting("bob", new String[] {"people"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem files = FileSystem.newInstance(cluster.files().getConf())) {
                    for (Path parent : List.of(directory, allowed)) {
                      try (FSDataOutputStream out =
                          files.create(new Path(parent, "bobs"), (short) 3)) {
                        out.write(1);
                      }
                    }
                  }
                  return null;
                });
    cluster.awaitReplicas(new Path(directory, "bobs"), 3);
    cluster.awaitReplicas(new Path(allowed, "bobs"), 3);
    assertThat(cluster.tiersOfBlocks(new Path(directory, "bobs")))
        .containsExactly("middle middle middle");
    assertThat(cluster.tiersOfBlocks(new Path(allowed, "bobs"))).containsExactly("slow slow slow");
    assertThat(cluster.counters().stockCount(StockReason.LIMITED)).isGreaterThan(before);
  }

  @Test
  void limitOfAPathHoldsForWhoeverWritesThere() throws IOException {
    long before = cluster.counters().stockCount(StockReason.LIMITED);
    Path file = new Path(cluster.directory("/frugal/of/user", "network-aware:tiers=fast"), "file");
    cluster.write(file, 1, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsExactly("middle middle middle");
    assertThat(cluster.counters().stockCount(StockReason.LIMITED)).isGreaterThan(before);
  }

  /** A directory may get a million files: a line for each would fill the NameNode's log. */
  @Test
  void manyFilesUnderOneUselessOrLimitedAttributeMakeOneLine() throws IOException {
    try (LogLines log = new LogLines(NamespacePolicies.class)) {
      Path useless = cluster.directory("/useless", "no-such-policy");
      Path limited = cluster.directory("/frugal/of/many", "network-aware:tiers=fast");
      for (int i = 0; i < 3; i++) {
        cluster.write(new Path(useless, "file" + i), 1, 3);
        cluster.write(new Path(limited, "file" + i), 1, 3);
      }
      assertThat(log.with("cannot be understood")).hasSize(1);
      assertThat(log.with("cannot be understood").get(0)).contains("/useless/file0");
      assertThat(log.with("may not use there")).hasSize(1);
      cluster.directory("/useless", "another-such-policy");
      cluster.write(new Path(useless, "later"), 1, 3);
      assertThat(log.with("cannot be understood")).hasSize(2);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"no-such-policy", "layout:2 x nosuchtier", "zone-ratio:1.5", "hybrid:", "''"})
  void attributeThatSaysNothingUsefulLeavesTheFileToStockAndIsCounted(String policy)
      throws IOException {
    long before = cluster.counters().stockCount(StockReason.BAD_SPECIFICATION);
    Path file =
        new Path(
            cluster.directory("/bad-" + Integer.toHexString(policy.hashCode()), policy), "file");
    cluster.write(file, 2, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsOnly("middle middle middle");
    assertThat(cluster.counters().stockCount(StockReason.BAD_SPECIFICATION)).isEqualTo(before + 2);
    cluster.assertWhole(file, 2);
  }

  @Test
  void moreReplicasThanNodesAreLeftToStockAndTheWriteSucceeds() throws IOException {
    Path file = new Path(cluster.directory("/many", "hybrid"), "file");
    cluster.write(file, 1, 12);
    assertThat(cluster.blocks(file).get(0).getLocations()).hasSize(9);
    assertThat(cluster.counters().stockCount(StockReason.INCOMPLETE)).isPositive();
    cluster.assertWhole(file, 1);
  }

  @Test
  void policyInstanceMadeAnewByTheNameNodeKeepsItsHost() throws IOException {
    cluster
        .mini()
        .getNamesystem()
        .getBlockManager()
        .refreshBlockPlacementPolicy(cluster.mini().getConfiguration(0));
    Path file = new Path(cluster.directory("/refreshed", "hybrid"), "file");
    cluster.write(file, 1, 3);
    assertThat(cluster.tiersOfBlocks(file)).containsExactly("fast middle slow");
  }
}
