package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.OperatorException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;
import org.ietf.jgss.GSSException;

/** Why something could not be looked at, in one line. */
final class Reason {
  private Reason() {}

  static String of(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof GSSException
          || cause instanceof LoginException
          || cause instanceof KerberosAuthException) {
        return "Kerberos: "
            + firstLine(last(cause).getMessage())
            + "; run kinit, and check that the KDC of krb5.conf answers";
      }
      if (cause instanceof SSLException) {
        return "HTTPS: "
            + firstLine(cause.getMessage())
            + "; check the truststore in ssl-client.xml";
      }
    }
    if (thrown instanceof OperatorException) {
      return thrown.getMessage();
    }
    if (thrown instanceof RemoteException remote) {
      String name = remote.getClassName();
      return name.endsWith(AccessControlException.class.getSimpleName())
          ? "no permission: " + firstLine(remote.getMessage())
          : name.substring(name.lastIndexOf('.') + 1) + ": " + firstLine(remote.getMessage());
    }
    if (thrown instanceof ConnectException) {
      return "connection refused";
    }
    if (thrown instanceof SocketTimeoutException) {
      return "no answer in time";
    }
    if (thrown instanceof UnknownHostException) {
      return "unknown host " + thrown.getMessage();
    }
    return firstLine(thrown.getMessage() == null ? thrown.toString() : thrown.getMessage());
  }

  private static Throwable last(Throwable thrown) {
    Throwable last = thrown;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return last;
  }

  private static String firstLine(String message) {
    return message == null ? "no message" : message.lines().findFirst().orElse("").strip();
  }
}
