package io.tierwise.hadoop.hdfs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.action.Place;
import io.tierwise.core.view.ClusterView;
import io.tierwise.core.view.FileView;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.placement.PlacementPolicies;
import io.tierwise.policies.placement.PlacementPolicy;
import io.tierwise.policies.placement.PlacementRequest;
import io.tierwise.policies.placement.PlantedPlacement;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockCollection;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The replicas that go: by the file's policy, and by the rule that is left where no file is known.
 */
class ExcessChoiceTest {
  private final NetworkTopology topology = new NetworkTopology();
  private final DatanodeStorageInfo fast = storage("fast", "/r1", StorageType.SSD);
  private final DatanodeStorageInfo first = storage("first", "/r2", StorageType.DISK);
  private final DatanodeStorageInfo second = storage("second", "/r3", StorageType.DISK);
  private final DatanodeStorageInfo third = storage("third", "/r3", StorageType.DISK);

  private DatanodeStorageInfo storage(String name, String rack, StorageType type) {
    String address = "10.0.0." + (1 + topology.getNumOfLeaves());
    DatanodeDescriptor node =
        DFSTestUtil.createDatanodeStorageInfo(name, address, rack, name, type, null)
            .getDatanodeDescriptor();
    topology.add(node);
    return node.getStorageInfos()[0];
  }

  private PlacementHost host(boolean guardsTiers) {
    return host(guardsTiers, null, null);
  }

  /** A host that knows whose block is thinned out, and by whose policy. */
  private PlacementHost hostOf(String policy) {
    return hostOf(PlacementPolicies.parse(policy, TierConfiguration.byStorageType().table()));
  }

  private PlacementHost hostOf(PlacementPolicy policy) {
    BlockCollection file =
        (BlockCollection)
            Proxy.newProxyInstance(
                BlockCollection.class.getClassLoader(),
                new Class<?>[] {BlockCollection.class},
                (self, method, args) -> null);
    DeletionContext deletions = new DeletionContext(() -> true);
    deletions.remember(file);
    ManagedFile managed = new ManagedFile(policy, FileView.UNKNOWN, "/file", List.of());
    return host(false, deletions, new OneFile(file, managed));
  }

  private record OneFile(BlockCollection file, ManagedFile managed) implements PathPolicies {
    @Override
    public boolean mayManage() {
      return true;
    }

    @Override
    public boolean mayManage(String path) {
      return true;
    }

    @Override
    public ManagedFile resolve(String path, Occasion occasion) {
      return managed;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The proxy has no equality of its own.
    public ManagedFile resolve(BlockCollection of) {
      return of == file ? managed : null;
    }
  }

  private PlacementHost host(boolean guardsTiers, DeletionContext deletions, PathPolicies paths) {
    Configuration conf = new Configuration(false);
    conf.set(RegionNames.REGIONS_KEY, "/r9=west");
    WriteAdmission admission = new WriteAdmission(conf, null);
    ViewKeeper views =
        new ViewKeeper(
            topology,
            new CountedTiers(TierConfiguration.byStorageType()),
            new RegionNames(conf),
            admission,
            1,
            1,
            () -> {});
    return new PlacementHost(
        topology, views, admission, paths, new PlacementCounters(), deletions, guardsTiers);
  }

  @Test
  void lastReplicaInATierStaysWhileAnotherTierHasTwoAlsoWhenItIsTheHint() {
    PlacementHost host = host(true);
    List<DatanodeStorageInfo> dropped =
        ExcessChoice.choose(
            host, List.of(fast, first, second, third), 2, fast.getDatanodeDescriptor(), 0);
    assertThat(dropped).hasSize(2).doesNotContain(fast);
    assertThat(host.counters().deletionsByTierRule()).isEqualTo(2);
  }

  @Test
  void hintIsFollowedWhereItsTierKeepsAReplica() {
    assertThat(
            ExcessChoice.choose(
                host(true), List.of(fast, first, second), 2, first.getDatanodeDescriptor(), 0))
        .containsExactly(first);
  }

  @Test
  void rackWithTwoReplicasLosesOneFirst() {
    assertThat(ExcessChoice.choose(host(true), List.of(fast, first, second, third), 3, null, 0))
        .hasSize(1)
        .isSubsetOf(first, second, third);
  }

  @Test
  void replicasInOneTierAreStocksAndSoIsEverythingWhenTheRuleIsOff() {
    assertThat(ExcessChoice.choose(host(true), List.of(first, second, third), 2, null, 0)).isNull();
    assertThat(ExcessChoice.choose(host(false), List.of(fast, first, second), 2, null, 0)).isNull();
  }

  @Test
  void ofReplicasWorthTheSameTheOneOnTheFullestVolumeGoes() {
    DatanodeStorageInfo fourth = storage("fourth", "/r3", StorageType.DISK);
    second.setUtilizationForTesting(1_000, 700, 300, 700);
    third.setUtilizationForTesting(1_000, 900, 100, 900);
    fourth.setUtilizationForTesting(1_000, 200, 800, 200);
    for (List<DatanodeStorageInfo> replicas :
        List.of(List.of(first, second, third, fourth), List.of(first, third, fourth, second))) {
      // The only one of its rack: the hint cannot be followed.
      assertThat(
              ExcessChoice.choose(hostOf("hybrid"), replicas, 3, first.getDatanodeDescriptor(), 0))
          .containsExactly(third);
      assertThat(ExcessChoice.choose(hostOf("hybrid"), replicas, 2, null, 0))
          .containsExactlyInAnyOrder(third, second);
    }
    fast.setUtilizationForTesting(1_000, 999, 1, 999);
    assertThat(ExcessChoice.choose(host(true), List.of(fast, second, third, fourth), 3, null, 0))
        .containsExactly(third);
  }

  /** The nodes' latest heartbeats, in the order of fast, first, second, third. */
  private void heartbeats(long... monotonicMillis) {
    List<DatanodeStorageInfo> storages = List.of(fast, first, second, third);
    for (int i = 0; i < monotonicMillis.length; i++) {
      storages.get(i).getDatanodeDescriptor().setLastUpdateMonotonic(monotonicMillis[i]);
    }
  }

  @Test
  void replicasOnSilentNodesGoFirstTheLongestSilentBeforeTheOthersWhateverThePolicyAndHintSay() {
    heartbeats(400, 300, 1_000, 999);
    List<DatanodeStorageInfo> all = List.of(fast, first, second, third);
    DatanodeDescriptor hint = third.getDatanodeDescriptor();
    String policy = "layout:1 x ssd + 3 x disk";
    assertThat(ExcessChoice.choose(hostOf(policy), all, 3, hint, 500)).containsExactly(first);
    assertThat(ExcessChoice.choose(hostOf(policy), all, 2, hint, 500)).containsExactly(first, fast);
    assertThat(ExcessChoice.choose(hostOf(policy), all, 1, hint, 500))
        .containsExactly(first, fast, third);
    assertThat(ExcessChoice.choose(host(true), all, 2, hint, 500)).containsExactly(first, fast);
  }

  @Test
  void sourceOfAMoveStaysWhenOnlyASilentNodeHasAnotherReplicaInItsRack() {
    DatanodeStorageInfo copy = storage("copy", "/r1", StorageType.DISK);
    heartbeats(1_000, 1_000, 1_000, 400);
    copy.getDatanodeDescriptor().setLastUpdateMonotonic(1_000);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 2 x disk on different racks"),
                List.of(fast, first, second, third, copy),
                3,
                second.getDatanodeDescriptor(),
                500))
        .containsExactly(third, copy);
  }

  @Test
  void lastReplicaInATierStaysWhereOneOfAThirdRackCanGo() {
    DatanodeStorageInfo archived = storage("archived", "/r1", StorageType.ARCHIVE);
    assertThat(ExcessChoice.choose(host(true), List.of(fast, archived, first, second), 3, null, 0))
        .hasSize(1)
        .isSubsetOf(first, second);
  }

  @Test
  void nodeAtTheLimitOfToleratedHeartbeatsIsNotSilent() {
    heartbeats(500, 500, 500, 500);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 3 x disk"), List.of(fast, first, second), 1, null, 500))
        .hasSize(2)
        .doesNotContain(fast);
  }

  @Test
  void storageThatTheIndexDoesNotKnowYetStandsBesideIt() {
    storage("west", "/r9", StorageType.DISK);
    PlacementHost host = hostOf("layout:1 x ssd + 2 x disk");
    // Not in the topology, so that no look finds it, as in a cluster too large to look at once.
    DatanodeStorageInfo returned =
        DFSTestUtil.createDatanodeStorageInfo(
                "returned", "10.0.9.9", "/r2", "returned", StorageType.DISK, null)
            .getDatanodeDescriptor()
            .getStorageInfos()[0];
    List<DatanodeStorageInfo> dropped =
        ExcessChoice.choose(host, List.of(fast, first, second, returned), 3, null, 0);
    assertThat(dropped).hasSize(1).isSubsetOf(first, returned);
    assertThat(host.views().lookCount()).as("under the lock nobody looks at the cluster").isZero();
  }

  @Test
  void sourceOfAMoveGoesAlsoWhenOthersGoWithItAndItIsNotThePolicysFirst() {
    PlacementHost host = hostOf("layout:1 x ssd + 1 x disk");
    assertThat(
            ExcessChoice.choose(
                host, List.of(fast, first, second, third), 2, second.getDatanodeDescriptor(), 0))
        .hasSize(2)
        .contains(second)
        .doesNotContain(fast);
  }

  @Test
  void sourceOfAMoveGoesAlsoFromARegionThatTheLayoutDoesNotName() {
    DatanodeStorageInfo west = storage("west", "/r9", StorageType.DISK);
    DatanodeStorageInfo other = storage("other", "/r4", StorageType.DISK);
    first.setUtilizationForTesting(1_000, 900, 100, 900);
    for (DatanodeStorageInfo roomy : List.of(fast, west, other)) {
      roomy.setUtilizationForTesting(1_000, 100, 900, 100);
    }
    List<DatanodeStorageInfo> all = List.of(fast, first, other, west);
    DatanodeDescriptor hint = west.getDatanodeDescriptor();
    assertThat(ExcessChoice.choose(hostOf("layout:2 x ssd + 1 x disk"), all, 3, null, 0))
        .as("the fullest one without a hint")
        .containsExactly(first);
    assertThat(ExcessChoice.choose(hostOf("layout:2 x ssd + 1 x disk"), all, 3, hint, 0))
        .containsExactly(west);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 1 x disk in region west + 1 x disk"), all, 3, hint, 0))
        .as("its region's only one stays")
        .containsExactly(first);
  }

  @Test
  void sourceOfAMoveGoesAlsoFromARackMoreThanTheLayoutNeeds() {
    DatanodeStorageInfo copy = storage("copy", "/r1", StorageType.DISK);
    List<DatanodeStorageInfo> all = List.of(fast, first, second, copy);
    DatanodeDescriptor hint = second.getDatanodeDescriptor();
    assertThat(ExcessChoice.choose(hostOf("layout:1 x ssd + 2 x disk"), all, 3, null, 0))
        .as("a third rack is kept without a hint")
        .containsExactly(copy);
    assertThat(ExcessChoice.choose(hostOf("layout:1 x ssd + 2 x disk"), all, 3, hint, 0))
        .containsExactly(second);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 2 x disk on different racks"), all, 3, hint, 0))
        .as("the layout needs three racks")
        .containsExactly(copy);
  }

  @Test
  void sourceOfAMoveGoesAlsoWhereTheBlockLacksARackEitherWay() {
    DatanodeStorageInfo copy = storage("copy", "/r1", StorageType.DISK);
    DatanodeStorageInfo west = storage("west", "/r9", StorageType.DISK);
    DatanodeStorageInfo other = storage("other", "/r9", StorageType.DISK);
    copy.setUtilizationForTesting(1_000, 900, 100, 900);
    for (DatanodeStorageInfo roomy : List.of(fast, west, other)) {
      roomy.setUtilizationForTesting(1_000, 100, 900, 100);
    }
    List<DatanodeStorageInfo> all = List.of(fast, copy, west, other);
    PlacementHost host = hostOf("layout:1 x ssd + 2 x disk on different racks");
    assertThat(ExcessChoice.choose(host, all, 3, null, 0)).containsExactly(copy);
    PlacementHost hinted = hostOf("layout:1 x ssd + 2 x disk on different racks");
    assertThat(ExcessChoice.choose(hinted, all, 3, west.getDatanodeDescriptor(), 0))
        .containsExactly(west);
  }

  @Test
  void sourceOfAMoveStaysWhereOnlyAnotherThatGoesCouldStandForIt() {
    DatanodeStorageInfo quick = storage("quick", "/r3", StorageType.SSD);
    DatanodeStorageInfo copy = storage("copy", "/r1", StorageType.DISK);
    List<DatanodeStorageInfo> all = List.of(fast, quick, first, second, copy);
    for (DatanodeDescriptor hint : Arrays.asList(null, second.getDatanodeDescriptor())) {
      PlacementHost host = hostOf("layout:1 x ssd + 2 x disk on different racks");
      assertThat(ExcessChoice.choose(host, all, 3, hint, 0)).containsExactlyInAnyOrder(quick, copy);
    }
  }

  @Test
  void sourceOfAMoveStaysInTheSecondRack() {
    DatanodeStorageInfo copy = storage("copy", "/r1", StorageType.DISK);
    DatanodeStorageInfo other = storage("other", "/r1", StorageType.DISK);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 2 x disk"),
                List.of(fast, copy, other, second),
                3,
                second.getDatanodeDescriptor(),
                0))
        .hasSize(1)
        .isSubsetOf(copy, other);
  }

  @Test
  void sourceOfAMoveStaysWhereItIsWorthMoreThanThePolicysChoice() {
    DatanodeStorageInfo west = storage("west", "/r9", StorageType.DISK);
    List<DatanodeStorageInfo> all = List.of(fast, first, second, west);
    assertThat(
            ExcessChoice.choose(
                hostOf("layout:1 x ssd + 2 x disk"), all, 3, fast.getDatanodeDescriptor(), 0))
        .doesNotContain(fast)
        .hasSize(1);
  }

  /** Of three replicas of which two should stay. */
  static Stream<PlantedPlacement> wrongAnswers() {
    return Stream.of(
        PlantedPlacement.SILENT,
        PlantedPlacement.of(0),
        PlantedPlacement.of(0, 0, 1),
        PlantedPlacement.of(0, 0, 1, 2),
        PlantedPlacement.of(0, 3),
        PlantedPlacement.of(0, -1));
  }

  /** HDFS would drop whatever it is told, the last replica as well. */
  @ParameterizedTest
  @MethodSource("wrongAnswers")
  void aPolicyThatNamesOtherThanTheReplicasThatAreTooManyIsNotFollowed(PlantedPlacement policy) {
    assertThatThrownBy(
            () -> ExcessChoice.choose(hostOf(policy), List.of(fast, first, second), 2, null, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("planted dropped other than");
  }

  @Test
  void aPolicyThatNamesOneReplicaTwiceIsNotFollowed() {
    List<DatanodeStorageInfo> all = List.of(fast, first, second, third);
    PlacementHost host = hostOf(PlantedPlacement.of(0, 1, 1));
    assertThatThrownBy(() -> ExcessChoice.choose(host, all, 2, null, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("planted dropped other than");
    assertThat(ExcessChoice.choose(hostOf(PlantedPlacement.of(0, 1, 2)), all, 2, null, 0))
        .hasSize(2);
  }

  /** A policy without state may answer with a constant of its own. */
  @Test
  void thePolicysOwnArrayStaysAsItIs() {
    int[] constant = {0};
    PlacementPolicy policy =
        new PlacementPolicy() {
          @Override
          public String name() {
            return "planted";
          }

          @Override
          public Place place(PlacementRequest request, ClusterView view, RandomGenerator random) {
            throw new AssertionError("nothing is placed");
          }

          @Override
          public int[] chooseExcess(int[] of, FileView file, int replicaCount, ClusterView view) {
            return constant;
          }
        };
    List<DatanodeStorageInfo> all = List.of(fast, first, second, third);
    heartbeats(400, 1_000, 1_000, 1_000);

    assertThat(ExcessChoice.choose(hostOf(policy), all, 2, null, 500)).hasSize(2).contains(fast);
    assertThat(constant).containsExactly(0);
  }
}
