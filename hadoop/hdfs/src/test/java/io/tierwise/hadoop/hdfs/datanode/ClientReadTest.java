package io.tierwise.hadoop.hdfs.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientReadTest {
  private static final String BLOCK = "BP-1-127.0.0.1-1:blk_1073741825_1001";

  @Test
  void knowsTheThreadThatServesAClientRead() {
    String thread =
        "DataXceiver for client DFSClient_NONMAPREDUCE_-12_1 at /127.0.0.1:5000 [Sending block "
            + BLOCK
            + "]";
    assertThat(ClientRead.servedBy(thread, BLOCK))
        .isEqualTo(new ClientRead("DFSClient_NONMAPREDUCE_-12_1"));
    // The stamp of a replica under construction can be raised in between.
    assertThat(ClientRead.servedBy(thread, "BP-1-127.0.0.1-1:blk_1073741825_1007")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "main",
        "VolumeScannerThread(/data)",
        "DataXceiver for client DFSClient_a_1_1 at /127.0.0.1:5000 [Copying block " + BLOCK + "]",
        "DataXceiver for client DFSClient_a_1_1 at /127.0.0.1:5000 [Waiting for operation #2]",
        "DataXceiver for client DFSClient_a_1_1 at /127.0.0.1:5000 [Passing file descriptors for"
            + " block "
            + BLOCK
            + "]",
        "DataXceiver for client  at /127.0.0.1:5000 [Sending block " + BLOCK + "]",
        "DataXceiver for client /127.0.0.1:5000 [Sending block " + BLOCK + "]",
        "DataXceiver for client DFSClient_a_1_1 at /127.0.0.1:5000 [Sending block"
            + " BP-1-127.0.0.1-1:blk_9_1001]",
        "org.apache.hadoop.hdfs.server.datanode.DataNode$DataTransfer@1"
      })
  void takesNothingElseForAClientRead(String thread) {
    assertThat(ClientRead.servedBy(thread, BLOCK)).isNull();
  }
}
