package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A NameNode with the plug-in that this user may not ask about it. */
class ClosedNameNodeIT extends SharedDirectory {
  @Override
  Configuration configuration() {
    Configuration closed = super.configuration();
    closed.setBoolean("hadoop.security.authorization", true);
    closed.set("security.refresh.generic.protocol.acl", "nobody-at-all");
    return closed;
  }

  @Test
  @Timeout(180)
  void itIsNotSaidToRunWithoutThePlugin() throws Exception {
    assertThatThrownBy(this::shares)
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--share /data: the NameNode ")
        .hasMessageContaining(" does not tell whether it runs the Tierwise plug-in (")
        .hasMessageContaining("not authorized");

    String other = HALF.replace("0.5", "0.4");
    long id = hdfs.fs().getClient().getFileInfo(DATA).getFileId();
    Round round =
        make(List.of(new ShareChoice(DATA, id, HALF, other, 10, 1, 1, null, null, "less")));

    assertThat(policy()).isEqualTo(HALF);
    assertThat(round.left()).hasSize(1);
    assertThat(round.left().get(0).reason())
        .contains(" does not tell whether it runs the Tierwise plug-in (");
  }
}
