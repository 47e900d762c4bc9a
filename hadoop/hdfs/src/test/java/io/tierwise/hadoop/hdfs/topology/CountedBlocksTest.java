package io.tierwise.hadoop.hdfs.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.ipc.ExternalCall;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many reads one call counts that is told several blocks. */
class CountedBlocksTest {
  /** By configuration so slow that what is counted stays while a test runs. */
  private static final String TIERS =
      """
      tiers:
        - {name: disk, match: {storage-type: DISK}, class: {name: d, read-megabytes-per-second: 1}}
      """;

  private static final int MANY = 14;

  private final TierwiseTopology topology = new TierwiseTopology();
  private int calls;

  @BeforeEach
  void configure(@TempDir File folder) throws IOException {
    Configuration conf = new Configuration(false);
    OrderKeys.of("auto:link-megabytes-per-second=10", folder, TIERS).forEach(conf::set);
    topology.setConf(conf);
  }

  /** Blocks of equal letters lie on the same storage; a NameNode sorts the file's last one last. */
  private void told(String blocks) {
    blocks.chars().forEach(this::sort);
  }

  private void sort(int letter) {
    String node = Character.toString(letter);
    DatanodeInfo info =
        new DatanodeInfo.DatanodeInfoBuilder()
            .setIpAddr("10.0.0." + letter)
            .setHostName(node)
            .setDatanodeUuid(node)
            .setNetworkLocation("/rack")
            .build();
    DatanodeInfoWithStorage[] replicas = {
      new DatanodeInfoWithStorage(info, "DS-" + node, StorageType.DISK)
    };
    topology.sortByDistanceUsingNetworkLocation(
        new NodeBase("192.0.2.1", "/elsewhere"), replicas, 1, Collections::shuffle);
    assertThat(topology.failureCount()).isZero();
  }

  private void handle(Server.Call call, Runnable work) {
    Server.getCurCall().set(call);
    try {
      work.run();
    } finally {
      Server.getCurCall().remove();
    }
  }

  private Server.Call call() {
    return new Server.Call(calls++, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]);
  }

  private double counted(String blocks) {
    double before = topology.countedReads();
    handle(call(), () -> told(blocks));
    return topology.countedReads() - before;
  }

  private static String different(int blocks) {
    return IntStream.range('a', 'a' + blocks)
        .mapToObj(Character::toString)
        .reduce("", String::concat);
  }

  @Test
  void theFirstBlockIsAReadLaterOnesAreAPartAndTheLastOneIsNobodys() {
    assertThat(counted("ab")).isEqualTo(1);
    assertThat(counted("abc")).isEqualTo(1 + CallAnswers.LATER_SHARE);
    assertThat(counted("abcd")).isEqualTo(1 + 2 * CallAnswers.LATER_SHARE);
  }

  @Test
  void aBlockThatIsToldOnceMoreCountsOnlyIfAnotherOneFollows() {
    assertThat(counted("aa")).isEqualTo(1);
    assertThat(counted("aab")).isEqualTo(1 + CallAnswers.LATER_SHARE);
    assertThat(counted("aabc")).isEqualTo(1 + 2 * CallAnswers.LATER_SHARE);
    assertThat(counted("abac")).isEqualTo(1 + 2 * CallAnswers.LATER_SHARE);
  }

  @Test
  void noMoreBlocksCountThanAClientAsksForWhenItOpensAFile() {
    double most = 1 + (CallAnswers.COUNTED_MAX - 1) * CallAnswers.LATER_SHARE;
    assertThat(counted(different(MANY))).isEqualTo(most);
    assertThat(counted("a" + different(MANY))).isEqualTo(most);
  }

  @Test
  void aLookTakesBackAllThatItsCallCountedOnce() {
    counted("ab");
    handle(
        call(),
        () -> {
          told("cdef");
          topology.onlyLooked();
          topology.onlyLooked();
        });
    assertThat(topology.countedReads()).isEqualTo(1);
  }

  /** The NameNode asks itself on behalf of web clients: a DataNode reads for them. */
  @Test
  void whatTheNameNodeAsksItselfIsNotCounted() {
    told("abc");
    handle(new OfWebClient(), () -> told("abc"));
    assertThat(topology.countedReads()).isZero();
  }

  private static final class OfWebClient extends ExternalCall<Void> {
    OfWebClient() {
      super(() -> null);
    }

    @Override
    public UserGroupInformation getRemoteUser() {
      return null;
    }
  }
}
