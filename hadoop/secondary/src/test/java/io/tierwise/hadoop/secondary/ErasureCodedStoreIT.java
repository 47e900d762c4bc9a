package io.tierwise.hadoop.secondary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tierwise.core.message.Listener;
import io.tierwise.hadoop.inspect.risk.NodeFigures;
import io.tierwise.hadoop.inspect.risk.RiskAnswer;
import io.tierwise.hadoop.inspect.risk.StoredRisk;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A directory with an erasure code is the secondary store of the HDFS that it is in: five nodes,
 * all defaults of HDFS but for the code, which HDFS has to be told to allow.
 */
class ErasureCodedStoreIT {
  private static final int NODES = 5;
  private static final String CODE = "RS-3-2-1024k";
  private static final int CELL_BYTES = 1 << 20;

  /** Two stripes and a bit. */
  private static final int BYTES = 6 * CELL_BYTES + 123;

  private static Clusters clusters;
  private static String store;

  @BeforeAll
  static void start() throws IOException {
    clusters = Clusters.ofNodes(NODES, 2L << 30);
    DistributedFileSystem fs = clusters.stock();
    fs.enableErasureCodingPolicy(CODE);
    Path archive = new Path("/archive");
    fs.mkdirs(archive);
    fs.setErasureCodingPolicy(archive, CODE);
    store = clusters.primary().getURI() + "/archive";
  }

  @AfterAll
  static void end() {
    if (clusters != null) {
      clusters.close();
    }
  }

  private static FileStatus copyOf(String path) throws IOException {
    long id = clusters.stock().getClient().getFileInfo(path).getFileId();
    RemoteIterator<LocatedFileStatus> files =
        clusters.stock().listFiles(new Path("/archive"), true);
    while (files.hasNext()) {
      FileStatus each = files.next();
      if (each.getPath().getName().equals(Long.toString(id))) {
        return each;
      }
    }
    throw new AssertionError("no copy of " + path);
  }

  private static LocatedStripedBlock groupOf(Path copy) throws IOException {
    return (LocatedStripedBlock)
        clusters.stock().getClient().getLocatedBlocks(copy.toUri().getPath(), 0).get(0);
  }

  @Test
  void aFileGoesThereWholeAndComesBackAsItWas() throws Exception {
    String path = "/whole/file";
    byte[] data = clusters.write(path, BYTES);
    DistributedFileSystem stock = clusters.stock();
    stock.setPermission(new Path(path), new FsPermission((short) 0640));
    stock.setOwner(new Path(path), "ann", "staff");
    stock.setXAttr(new Path(path), "user.mine", new byte[] {1, 2});
    FileStatus before = stock.getFileStatus(new Path(path));
    List<String> said = new ArrayList<>();

    SecondaryReport offloaded =
        clusters.run(store, SecondaryRun.Kind.OFFLOAD, Steps.NONE, saying(said), path);

    assertThat(offloaded.left()).isEmpty();
    assertThat(offloaded.files()).isOne();
    // Six cells in two stripes with two of parity each, and a bit of a cell with two as long.
    assertThat(offloaded.storeBytes()).isEqualTo(10L * CELL_BYTES + 3 * 123);
    assertThat(said).filteredOn(line -> line.contains("has an erasure code")).hasSize(1);
    FileStatus copy = copyOf(path);
    assertThat(copy.isErasureCoded()).isTrue();
    assertThat(stock.getErasureCodingPolicy(copy.getPath()).getName()).isEqualTo(CODE);
    assertThat(stock.getContentSummary(copy.getPath()).getSpaceConsumed())
        .isEqualTo(offloaded.storeBytes());
    assertThat(stock.getContentSummary(new Path(path)).getSpaceConsumed()).isLessThan(4096);
    assertThat(copy.getOwner()).isEqualTo("ann");
    assertThat(copy.getGroup()).isEqualTo("staff");
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, path)).isEqualTo(data);
    }
    assertThatNobodyElseReads(path, copy.getPath());
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, path).complete()).isTrue();

    SecondaryReport recalled = clusters.run(store, SecondaryRun.Kind.RECALL, path);

    assertThat(recalled.left()).isEmpty();
    assertThat(recalled.storeBytes()).isNull();
    assertThat(Clusters.read(stock, path)).isEqualTo(data);
    FileStatus after = stock.getFileStatus(new Path(path));
    assertThat(after.isErasureCoded()).isFalse();
    assertThat(after.getReplication()).isEqualTo((short) 2);
    assertThat(after.getModificationTime()).isEqualTo(before.getModificationTime());
    assertThat(after.getPermission()).isEqualTo(before.getPermission());
    assertThat(after.getOwner()).isEqualTo("ann");
    assertThat(after.getGroup()).isEqualTo("staff");
    assertThat(stock.getXAttr(new Path(path), "user.mine")).containsExactly(1, 2);
    assertThat(stock.listStatus(new Path(path).getParent())).hasSize(1);
  }

  /**
   * There is room for its cells and their parity, and not for its placeholder's replicas. Long:
   * make test has the room that parts take.
   */
  @Tag("long")
  @Test
  void aFileUnderACodeComesBackWhereItsReplicasWouldFindNoRoom() throws IOException {
    DistributedFileSystem stock = clusters.stock();
    Path path = new Path("/coded-room/file");
    stock.mkdirs(path.getParent());
    stock.setErasureCodingPolicy(path.getParent(), CODE);
    byte[] data = new byte[BYTES];
    new Random(2).nextBytes(data);
    try (FSDataOutputStream out = stock.create(path)) {
      out.write(data);
    }
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, path.toString());
    assertThat(stock.getFileStatus(path).getReplication()).isGreaterThan((short) 1);
    FsStatus room = SettledRoom.of(clusters.primary());
    // Five thirds of its bytes are less, and two replicas are more.
    double kept = (room.getRemaining() - 1.85 * BYTES) / room.getCapacity();

    SecondaryReport recalled = clusters.run(store, kept, SecondaryRun.Kind.RECALL, path.toString());

    assertThat(recalled.left()).isEmpty();
    assertThat(stock.getFileStatus(path).isErasureCoded()).isTrue();
    assertThat(Clusters.read(stock, path.toString())).isEqualTo(data);
  }

  private static Listener saying(List<String> lines) {
    return new Listener() {
      @Override
      public Step begin(String label, long total) {
        return Step.SILENT;
      }

      @Override
      public void say(String line) {
        lines.add(line);
      }
    };
  }

  /** Neither by its name nor in the store. */
  private static void assertThatNobodyElseReads(String path, Path copy) throws Exception {
    UserGroupInformation.createUserForTesting("eve", new String[] {"others"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem hers = clusters.ours(store)) {
                    for (String each : List.of(path, copy.toString())) {
                      assertThatThrownBy(() -> Clusters.read(hers, each))
                          .isInstanceOf(AccessControlException.class)
                          .hasMessageContaining("eve");
                    }
                  }
                  return null;
                });
  }

  /** What it says is that of the parts, and of a code: Eq. 5.3 to 5.5 with units. */
  @Test
  void theRiskAndTheWattsAreThoseOfItsParts() throws IOException {
    clusters.write("/risk/file", 3 * CELL_BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/risk");

    RiskAnswer answer =
        StoredRisk.of(
            clusters.stock(),
            List.of(copyOf("/risk/file").getPath().toUri().getPath()),
            new NodeFigures(List.of(), List.of(), List.of(), 1),
            () -> {});

    assertThat(answer.rows()).hasSize(1);
    RiskAnswer.Row row = answer.rows().get(0);
    assertThat(row.copies()).isEqualTo("any 3 of 5");
    assertThat(row.wattsPerTerabyte()).isCloseTo(5 / 3.0 * 200 / 24, within(1e-9));
    double p = answer.pools().get(0).failureProbability();
    double threeOrMoreOfFive =
        10 * Math.pow(p, 3) * Math.pow(1 - p, 2) + 5 * Math.pow(p, 4) * (1 - p) + Math.pow(p, 5);
    assertThat(row.probability() / threeOrMoreOfFive).isCloseTo(1, within(1e-9));
  }

  /** With two of five nodes gone all is read; with three nothing wrong is, and no file is lost. */
  @Test
  void twoNodesMayFailAndWithThreeNothingIsHalfMoved() throws Exception {
    byte[] data = clusters.write("/nodes/file", BYTES);
    byte[] stays = clusters.write("/nodes/stays", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/nodes/file");
    LocatedStripedBlock group = groupOf(copyOf("/nodes/file").getPath());
    List<String> names = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      names.add(group.getLocations()[part].getXferAddr());
    }
    List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
    try {
      stopped.add(clusters.primary().stopDataNode(names.get(0)));
      stopped.add(clusters.primary().stopDataNode(names.get(1)));
      try (FileSystem ours = clusters.ours(store)) {
        assertThat(Clusters.read(ours, "/nodes/file")).isEqualTo(data);
      }

      stopped.add(clusters.primary().stopDataNode(names.get(2)));
      SecondaryReport none = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/nodes/stays");
      assertThat(none.complete()).isFalse();
      assertThat(none.files()).isZero();
      SecondaryReport back = clusters.run(store, SecondaryRun.Kind.RECALL, "/nodes/file");
      assertThat(back.complete()).isFalse();
      assertThat(back.files()).isZero();
    } finally {
      for (MiniDFSCluster.DataNodeProperties each : stopped) {
        clusters.primary().restartDataNode(each, false);
      }
      clusters.primary().waitActive();
    }
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/nodes/file")).isEqualTo(data);
      assertThat(Clusters.read(ours, "/nodes/stays")).isEqualTo(stays);
    }
    SecondaryReport rest = clusters.run(store, SecondaryRun.Kind.RECALL, "/nodes");
    assertThat(rest.complete()).as(rest.left().toString()).isTrue();
    assertThat(Clusters.read(clusters.stock(), "/nodes/file")).isEqualTo(data);
  }

  /** A part whose bytes changed on a disk is made anew from the others. */
  @Test
  void aDamagedPartHarmsNoReader() throws Exception {
    byte[] data = clusters.write("/damaged/file", BYTES);
    clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/damaged");
    LocatedStripedBlock group = groupOf(copyOf("/damaged/file").getPath());
    int damaged = 0;
    for (DataNode node : clusters.primary().getDataNodes()) {
      if (node.getDatanodeUuid().equals(group.getLocations()[0].getDatanodeUuid())) {
        ExtendedBlock block = new ExtendedBlock(group.getBlock());
        block.setBlockId(group.getBlock().getBlockId() + group.getBlockIndices()[0]);
        clusters.primary().corruptReplica(node, block);
        damaged++;
      }
    }
    assertThat(damaged).isOne();

    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/damaged/file")).isEqualTo(data);
    }
    assertThat(clusters.run(store, SecondaryRun.Kind.VERIFY, "/damaged").complete()).isTrue();
  }

  /** What a copy takes is counted with its parity: the room that is kept free stays free. */
  @Test
  void theRoomThatIsKeptFreeIsThatOfThePartsToo() throws IOException {
    clusters.write("/room/file", 6 * CELL_BYTES);
    FsStatus room = SettledRoom.of(clusters.primary());
    // Room for the file's bytes and a third more, and not for ten cells.
    double keepFree = (room.getRemaining() - 8.0 * CELL_BYTES) / room.getCapacity();

    SecondaryReport report = clusters.run(store, keepFree, SecondaryRun.Kind.OFFLOAD, "/room");

    assertThat(report.files()).as("what stays free is %s of %s", keepFree, room).isZero();
    assertThat(report.left()).hasSize(1);
    assertThat(report.left().get(0).reason()).contains("% free: make room");
    SecondaryReport dry = clusters.plan(store, SecondaryRun.Kind.OFFLOAD, "/room");
    assertThat(dry.storeBytes()).isEqualTo(10L * CELL_BYTES);
    assertThat(dry.lines("would offload").get(0)).contains("where copies take 10.0 MiB");
  }

  /** The other way round: a file that has a code in HDFS comes back with it. */
  @Test
  void aFileUnderACodeKeepsItsCode() throws IOException {
    DistributedFileSystem stock = clusters.stock();
    Path folder = new Path("/coded");
    stock.mkdirs(folder);
    stock.setErasureCodingPolicy(folder, CODE);
    Path path = new Path(folder, "file");
    byte[] data = new byte[BYTES];
    new Random(1).nextBytes(data);
    try (FSDataOutputStream out = stock.create(path)) {
      out.write(data);
    }

    SecondaryReport offloaded = clusters.run(store, SecondaryRun.Kind.OFFLOAD, "/coded");
    assertThat(offloaded.complete()).as(offloaded.left().toString()).isTrue();
    assertThat(offloaded.files()).isOne();
    try (FileSystem ours = clusters.ours(store)) {
      assertThat(Clusters.read(ours, "/coded/file")).isEqualTo(data);
    }
    SecondaryReport recalled = clusters.run(store, SecondaryRun.Kind.RECALL, "/coded");
    assertThat(recalled.files()).as(recalled.left().toString()).isOne();
    assertThat(Clusters.read(stock, "/coded/file")).isEqualTo(data);
    assertThat(stock.getErasureCodingPolicy(path).getName()).isEqualTo(CODE);
  }
}
