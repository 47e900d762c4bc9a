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
    return DataNodeCall.refused(
        answer, Made.volume("b", StorageType.SSD), Made.volume("a", StorageType.DISK));
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

  /** As Hadoop 3.5.0 words it when a source's node takes the connection and sends nothing. */
  @Test
  void aSourceThatSendsNothingIsSilentAndNotTheTarget() {
    MoveFailure failure =
        refused(
            "opReplaceBlock blk_1_1001 received exception java.net.SocketTimeoutException: 60000"
                + " millis timeout while waiting for channel to be ready for read. ch :"
                + " java.nio.channels.SocketChannel[connected local=/10.0.0.1:1"
                + " remote=/127.0.0.1:1]");

    assertThat(failure.kind()).isEqualTo(MoveFailure.Kind.SOURCE_SILENT);
    assertThat(failure.getMessage()).contains("127.0.0.1:1").doesNotContain("blk_");
  }

  @Test
  void aSourceThatTakesNoConnectionInTimeIsLost() {
    MoveFailure failure =
        refused(
            "opReplaceBlock blk_1_1001 received exception"
                + " org.apache.hadoop.net.ConnectTimeoutException: 60000 millis timeout");

    assertThat(failure.kind()).isEqualTo(MoveFailure.Kind.SOURCE_LOST);
  }

  @Test
  void eitherNodeMayBeTheBusyOne() {
    assertThat(refused("Not able to receive block 1 because threads quota is exceeded.").kind())
        .isEqualTo(MoveFailure.Kind.BUSY);
    assertThat(
            refused(
                    "opReplaceBlock blk_1_1001 received exception java.io.IOException: Got error,"
                        + " status=ERROR, status message Not able to copy block 1 to /127.0.0.1:2"
                        + " because threads quota is exceeded., copy block blk_1_1001 from"
                        + " /127.0.0.1:1")
                .kind())
        .isEqualTo(MoveFailure.Kind.SOURCE_BUSY);
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
