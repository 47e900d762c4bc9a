package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a DataNode says becomes a reason that many moves share. */
class DataNodeCallTest {
  private static MoveFailure refused(String message) {
    BlockOpResponseProto answer =
        BlockOpResponseProto.newBuilder().setStatus(Status.ERROR).setMessage(message).build();
    return DataNodeCall.refused(answer, Made.volume("a", StorageType.DISK));
  }

  @Test
  void twoBlocksThatFailAlikeHaveOneReasonAndTheJournalHasEachOfThem() {
    String first =
        "opReplaceBlock BP-1-127.0.0.1-1:blk_1_1001 received exception"
            + " java.io.IOException: Read-only file system";
    MoveFailure one = refused(first);
    MoveFailure two = refused(first.replace("blk_1_1001", "blk_2_1002"));

    assertThat(one.getMessage())
        .isEqualTo("its new node could not take it: IOException")
        .isEqualTo(two.getMessage());
    assertThat(one.detail()).isEqualTo(first);
    assertThat(refused("no").getMessage()).isEqualTo("its new node could not take it");
  }

  @Test
  void aSourceThatCannotBeReachedIsNamedWithoutTheBlock() {
    MoveFailure failure =
        refused("opReplaceBlock blk_1_1001 received exception java.net.ConnectException: refused");

    assertThat(failure.kind()).isEqualTo(MoveFailure.Kind.SOURCE_LOST);
    assertThat(failure.getMessage()).doesNotContain("blk_");
    assertThat(failure.detail()).contains("blk_1_1001");
  }

  /**
   * Whether it reads of an end or of a reset depends on what the source's node had read by then.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.io.EOFException: Unexpected EOF while trying to read response from server",
        "java.net.SocketException: Connection reset"
      })
  void aSourceThatClosedTheConnectionIsReadLater(String exception) {
    MoveFailure failure = refused("opReplaceBlock blk_1_1001 received exception " + exception);

    assertThat(failure.kind()).isEqualTo(MoveFailure.Kind.SOURCE_CLOSED);
    assertThat(failure.getMessage()).doesNotContain("blk_");
  }
}
