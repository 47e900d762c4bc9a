package io.tierwise.hadoop.inspect.cluster;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.kerby.kerberos.kerb.ccache.Credential;
import org.apache.kerby.kerberos.kerb.ccache.CredentialCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file in which kinit leaves tickets, as far as it tells why a login by it fails. Hadoop looks
 * into it itself, and by default once a minute at most.
 */
final class TicketCache {
  private static final Logger LOG = LoggerFactory.getLogger(TicketCache.class);
  private static final String FILE = "FILE:";

  /** How the name of a service begins that gives tickets for others. */
  private static final String GRANTING = "krbtgt/";

  /** A ticket by which its user gets all others. */
  record Ticket(String user, Instant end) {
    boolean hasEndedAt(Instant now) {
      return !now.isBefore(end);
    }
  }

  private TicketCache() {}

  /** The ticket that ended, or the new one in its place that Hadoop has yet to see; or empty. */
  static Optional<Ticket> unserving(Instant now) {
    try {
      if (UserGroupInformation.isLoginKeytabBased()) {
        return Optional.empty();
      }
      boolean loggedIn = UserGroupInformation.isLoginTicketBased();
      return latest(file()).filter(ticket -> loggedIn || ticket.hasEndedAt(now));
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("no ticket cache can be read", e);
      return Optional.empty();
    }
  }

  /** The file that Java's Kerberos reads. */
  private static File file() {
    String named = System.getenv("KRB5CCNAME");
    if (named == null || named.isEmpty()) {
      return new File("/tmp/krb5cc_" + new UnixSystem().getUid());
    }
    return new File(named.startsWith(FILE) ? named.substring(FILE.length()) : named);
  }

  /**
   * The one of them that ends last.
   *
   * @throws IOException when it is no ticket cache
   */
  static Optional<Ticket> latest(File file) throws IOException {
    if (!file.isFile()) {
      return Optional.empty();
    }
    CredentialCache cache = new CredentialCache();
    cache.load(file);
    return cache.getCredentials().stream()
        .filter(each -> each.getServerName().getName().startsWith(GRANTING))
        .max(Comparator.comparing(TicketCache::end))
        .map(last -> new Ticket(cache.getPrimaryPrincipal().getName(), end(last)));
  }

  private static Instant end(Credential ticket) {
    return Instant.ofEpochMilli(ticket.getEndTime().getTime());
  }
}
