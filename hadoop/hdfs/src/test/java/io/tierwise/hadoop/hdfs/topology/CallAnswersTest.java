package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.policies.access.ReadReport;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode counts of calls, whenever and from wherever they come. */
class CallAnswersTest {
  /** By configuration so slow that what is counted stays while a test runs. */
  private static final String SLOW_DEVICES =
      """
      tiers:
        - name: ssd
          match: {storage-type: SSD}
          class: {name: slow-ssd, read-megabytes-per-second: 2}
        - name: disk
          match: {storage-type: DISK}
          class: {name: slower-disk, read-megabytes-per-second: 1}
      """;

  private static final DatanodeInfoWithStorage SSD = replica("a", StorageType.SSD);
  private static final DatanodeInfoWithStorage OTHER_SSD = replica("b", StorageType.SSD);
  private static final DatanodeInfoWithStorage DISK = replica("c", StorageType.DISK);
  private static final DatanodeInfoWithStorage OTHER_DISK = replica("d", StorageType.DISK);
  private static final int SSD_BYTES_PER_MILLI = 2_000;
  private static final long PERIOD_MILLIS = 1_500;
  private static final int MANY = 20;
  private static final int DRAWS = 20;

  private final Configuration conf = new Configuration(false);
  private int calls;

  @BeforeEach
  void configure(@TempDir File folder) throws IOException {
    OrderKeys.of("auto:link-megabytes-per-second=10", folder, SLOW_DEVICES).forEach(conf::set);
  }

  @AfterEach
  void forget() {
    CallerContext.setCurrent(null);
  }

  private static DatanodeInfoWithStorage replica(String node, StorageType type) {
    DatanodeInfo info =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setIpAddr("10.0.0." + node.codePointAt(0))
            .setHostName(node)
            .setDatanodeUuid(node)
            .setNetworkLocation("/rack-" + node)
            .build();
    return new DatanodeInfoWithStorage(info, "DS-" + node, type);
  }

  private TierwiseTopology topology() {
    TierwiseTopology topology = new TierwiseTopology();
    topology.setConf(conf);
    return topology;
  }

  /** A client's call that has waited for its handler. */
  private static final class LateCall extends Server.Call {
    private final InetAddress host;
    private final long queuedNanos;

    LateCall(int id, int host, long queuedMillis) {
      super(id, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]);
      this.host = address(host);
      this.queuedNanos = TimeUnit.MILLISECONDS.toNanos(queuedMillis);
    }

    private static InetAddress address(int host) {
      try {
        return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) host});
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public long getTimestampNanos() {
      return super.getTimestampNanos() - queuedNanos;
    }

    @Override
    public InetAddress getHostInetAddress() {
      return host;
    }
  }

  /**
   * A call is handled that asks where a block is.
   *
   * @param reader null where nobody could tell its rack
   * @param queuedMillis that the call waited
   * @param after what the same thread does before the next call
   * @return the node that comes first
   */
  private String handle(
      TierwiseTopology topology,
      Node reader,
      int host,
      long queuedMillis,
      Runnable after,
      DatanodeInfoWithStorage... locations) {
    DatanodeInfoWithStorage[] replicas = locations.clone();
    Server.getCurCall().set(new LateCall(calls++, host, queuedMillis));
    try {
      topology.sortByDistanceUsingNetworkLocation(
          reader, replicas, replicas.length, Collections::shuffle);
      after.run();
    } finally {
      Server.getCurCall().remove();
    }
    assertThat(topology.failureCount()).isZero();
    return replicas[0].getHostName();
  }

  private static Node reader(int host) {
    return new NodeBase("192.0.2." + host, "/elsewhere");
  }

  private String read(
      TierwiseTopology topology, int host, long queuedMillis, DatanodeInfoWithStorage... replicas) {
    return handle(topology, reader(host), host, queuedMillis, () -> {}, replicas);
  }

  private String look(TierwiseTopology topology, int host, DatanodeInfoWithStorage... replicas) {
    return handle(topology, reader(host), host, 0, topology::onlyLooked, replicas);
  }

  /** So many that no more can be told apart. */
  private void readByMany(TierwiseTopology topology, DatanodeInfoWithStorage replica) {
    for (int host = 1; host <= MANY; host++) {
      read(topology, host, 0, replica);
    }
  }

  @Test
  void looksAtAReplicaThatManyReadTakeNoReaderAway() {
    TierwiseTopology topology = topology();
    readByMany(topology, SSD);
    for (int look = 0; look < 100; look++) {
      look(topology, MANY + 1, SSD);
    }
    assertThat(topology.lookCount()).isEqualTo(100);
    assertThat(topology.countedReads()).isEqualTo(MANY);
    assertThat(read(topology, MANY + 2, 0, SSD, DISK)).isEqualTo("c");
  }

  /**
   * Users who ask too much wait for seconds in a NameNode that shares itself fairly. The disk has
   * one reader: with no more than that the SSD would come first.
   */
  @Test
  void aCallThatWaitedForgetsNothingThatWasCountedMeanwhile() {
    TierwiseTopology topology = topology();
    readByMany(topology, SSD);
    read(topology, MANY + 3, 0, DISK);
    read(topology, MANY + 1, 5_000, SSD);
    assertThat(read(topology, MANY + 2, 0, SSD, DISK)).isEqualTo("c");
  }

  /** Each host of a rack has a link of its own. */
  @Test
  void readersOfOneRackShareNoLink() {
    TierwiseTopology topology = topology();
    readByMany(topology, DISK);
    for (int host = MANY + 1; host <= MANY + DRAWS; host++) {
      assertThat(look(topology, host, SSD, OTHER_DISK)).isEqualTo("a");
    }
  }

  /** As when the script that tells racks knows no host outside the cluster. */
  @Test
  void readersWhoseRackNobodyCanTellShareNoLink() {
    TierwiseTopology topology = topology();
    for (int host = 1; host <= MANY; host++) {
      handle(topology, null, host, 0, () -> {}, DISK);
    }
    for (int host = MANY + 1; host <= MANY + DRAWS; host++) {
      assertThat(handle(topology, null, host, 0, topology::onlyLooked, SSD, OTHER_DISK))
          .isEqualTo("a");
    }
  }

  /**
   * Five hosts share a healthy device. Each tells of each period; the calls of the first are
   * handled at once, those of the others one, two, three and four periods later.
   */
  @Test
  void reportsThatWaitedMakeNoDeviceSlow() {
    TierwiseTopology topology = topology();
    look(topology, 1, SSD, OTHER_SSD);
    int periods = 10;
    int hosts = 5;
    for (int period = 1; period <= periods; period++) {
      long sinceMillis = PERIOD_MILLIS * (periods - period);
      for (int healthy = 0; healthy < 3 * hosts; healthy++) {
        tell(topology, MANY + healthy, OTHER_SSD, 1, sinceMillis);
      }
      for (int host = 0; host < hosts; host++) {
        tell(topology, host, SSD, 1.0 / hosts, sinceMillis + PERIOD_MILLIS * host);
      }
    }
    assertThat(topology.reportedReadCount()).isEqualTo(4L * hosts * periods);
    Set<String> firsts = new TreeSet<>();
    for (int draw = 0; draw < DRAWS; draw++) {
      firsts.add(look(topology, 100, SSD, OTHER_SSD));
    }
    assertThat(firsts).contains("a");
  }

  /** Two hosts read a slow device by turns; all their calls are handled at one time. */
  @Test
  void reportsThatWaitedTellOfASlowDeviceAllTheSame() {
    TierwiseTopology topology = topology();
    look(topology, 1, SSD, OTHER_SSD);
    int periods = 10;
    for (int period = 1; period <= periods; period++) {
      long sinceMillis = PERIOD_MILLIS * (periods - period);
      for (int healthy = 0; healthy < 6; healthy++) {
        tell(topology, MANY + healthy, OTHER_SSD, 1, sinceMillis);
      }
      tell(topology, period % 2, SSD, 0.2, sinceMillis);
    }
    for (int draw = 0; draw < DRAWS; draw++) {
      assertThat(look(topology, 100, SSD, OTHER_SSD)).isEqualTo("b");
    }
  }

  @Test
  void aReportThatWaitedTooLongIsNoNews() {
    TierwiseTopology topology = topology();
    look(topology, 1, SSD);
    tell(topology, 1, SSD, 0.2, ReadReport.AGO_MILLIS_MAX + 1);
    assertThat(topology.reportedReadCount()).isZero();
    tell(topology, 1, SSD, 0.2, ReadReport.AGO_MILLIS_MAX / 2);
    assertThat(topology.reportedReadCount()).isOne();
  }

  /** That the host got such a share of the device's speed until its call came. */
  private void tell(
      TierwiseTopology topology,
      int host,
      DatanodeInfoWithStorage replica,
      double share,
      long queuedMillis) {
    long device = new ReplicaTiers(TierConfiguration.load(conf)).of(replica).number();
    long bytes = (long) (share * SSD_BYTES_PER_MILLI * PERIOD_MILLIS);
    ReadReport report = new ReadReport(device, true, bytes, PERIOD_MILLIS, 0);
    String context = ReadReportText.KEY + ":" + ReadReportText.of(List.of(report));
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    handle(topology, reader(host), host, queuedMillis, topology::onlyLooked, DISK);
    CallerContext.setCurrent(null);
  }
}
