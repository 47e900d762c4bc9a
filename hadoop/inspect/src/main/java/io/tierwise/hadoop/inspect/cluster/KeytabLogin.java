package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Logs a process in by a keytab: a daemon outlives every ticket, and Hadoop's clients get new ones
 * by the keytab when they need them.
 */
final class KeytabLogin {
  /** The keytab's file; without it a process has the ticket that it finds. */
  static final String KEYTAB_KEY = "tierwise.keytab.file";

  /** The principal whose keytab it is; {@code _HOST} stands for the name of this host. */
  static final String PRINCIPAL_KEY = "tierwise.kerberos.principal";

  private KeytabLogin() {}

  /**
   * Logs in where the configuration asks for Kerberos and names a keytab.
   *
   * @throws OperatorException when Kerberos does not take it
   */
  static void ifNamed(Configuration conf) {
    String keytab = conf.getTrimmed(KEYTAB_KEY, "");
    if (keytab.isEmpty() || !UserGroupInformation.isSecurityEnabled()) {
      return;
    }
    try {
      SecurityUtil.login(conf, KEYTAB_KEY, PRINCIPAL_KEY);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "no login as "
              + conf.getTrimmed(PRINCIPAL_KEY, "the user of this process")
              + " by the keytab "
              + keytab
              + " ("
              + FailureText.firstLine(e.getMessage())
              + "): set "
              + PRINCIPAL_KEY
              + " and "
              + KEYTAB_KEY,
          e);
    }
  }
}
