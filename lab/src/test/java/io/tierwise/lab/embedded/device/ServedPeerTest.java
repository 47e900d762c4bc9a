package io.tierwise.lab.embedded.device;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServedPeerTest {
  @Test
  void aThreadThatServesIsNamedAfterItsPeer() {
    assertThat(
            ServedPeer.of(
                    "DataXceiver for client DFSClient_NONMAPREDUCE_7_1 at /127.1.2.3:4711"
                        + " [Sending block BP-1-127.0.0.1-5:blk_1_1001]")
                .getHostAddress())
        .isEqualTo("127.1.2.3");
  }

  @Test
  void anyOtherThreadServesNobody() {
    assertThat(ServedPeer.of("main").isAnyLocalAddress()).isTrue();
    assertThat(ServedPeer.of("DataXceiver for client at somewhere [Waiting]").isAnyLocalAddress())
        .isTrue();
  }
}
