package io.tierwise.hadoop.mover;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRefusalTest {
  private static IOException remote(Class<?> kind, String message) {
    return new RemoteException(kind.getName(), message);
  }

  @Test
  void whatIsAboutOnePathIsItsReason() {
    assertThat(PathRefusal.of(new FileNotFoundException("File does not exist: /a"))).isPresent();
    assertThat(PathRefusal.of(new NSQuotaExceededException("full"))).isPresent();
    assertThat(PathRefusal.of(remote(AccessControlException.class, "denied")))
        .contains("this user has no permission to change it");
    assertThat(PathRefusal.of(remote(IOException.class, "exceed limit of 32"))).isPresent();
  }

  /** The next path would meet it as well: a round is made again, and loses none of its files. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        RetriableException.class,
        SecretManager.InvalidToken.class,
        SafeModeException.class,
        StandbyException.class
      })
  void whatANameNodeSaysToAllIsNone(Class<?> kind) {
    assertThat(PathRefusal.of(remote(kind, "NameNode still not started"))).isEmpty();
    assertThat(PathRefusal.of(new ConnectException("refused"))).isEmpty();
  }
}
