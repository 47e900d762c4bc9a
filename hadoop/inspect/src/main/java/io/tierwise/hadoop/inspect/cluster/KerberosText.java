package io.tierwise.hadoop.inspect.cluster;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what a refusal by Kerberos asks of the operator. Hadoop and Java tell such refusals apart by
 * their words alone.
 */
final class KerberosText {
  private record Known(String words, Supplier<String> line) {
    Known(String words, String line) {
      this(words, () -> line);
    }
  }

  private static final String BY_KEYTAB = " (a daemon logs in by " + KeytabLogin.KEYTAB_KEY + ")";

  private static final String NO_TICKET =
      "no valid Kerberos ticket: run kinit, or name its cache in KRB5CCNAME" + BY_KEYTAB;

  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "SIMPLE authentication is not enabled",
              "the cluster asks for Kerberos and the configuration here does not: set"
                  + " hadoop.security.authentication to kerberos in core-site.xml"),
          new Known(
              "Server asks us to fall back to SIMPLE auth",
              "the configuration here asks for Kerberos and the cluster does not: set"
                  + " hadoop.security.authentication to simple in core-site.xml"),
          new Known("Client cannot authenticate via", KerberosText::noTicket),
          new Known("Failed to find any Kerberos tgt", KerberosText::noTicket),
          // Java looked for a ticket in the cache, found none, and may not ask a person.
          new Known("Unable to obtain password from user", KerberosText::noTicket),
          new Known(
              "Failed to specify server's Kerberos principal name",
              "the NameNode's Kerberos name is not known here: set"
                  + " dfs.namenode.kerberos.principal in hdfs-site.xml"));

  /** How Hadoop's client says that it could not get a new ticket in the place of one that ended. */
  private static final Pattern LOGIN =
      Pattern.compile(
          "Login failure for user: (\\S+) .*?LoginException: (.*?)(?= org\\.apache\\.|;|$)");

  private static final Pattern GSS = Pattern.compile("GSS initiate failed|GSSException|KrbExc");
  private static final Pattern MECHANISM = Pattern.compile("Mechanism level: (.*?)\\)");

  private KerberosText() {}

  /** The line; empty when the failure has nothing to do with Kerberos. */
  static Optional<String> of(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    for (Known known : KNOWN) {
      if (message.contains(known.words)) {
        return Optional.of(known.line.get());
      }
    }
    Matcher login = LOGIN.matcher(message);
    if (login.find()) {
      return Optional.of(
          "Kerberos gives no new ticket for "
              + login.group(1)
              + " ("
              + login.group(2)
              + "): is the KDC of krb5.conf reachable, and is the keytab the current one?");
    }
    if (!GSS.matcher(message).find()) {
      return Optional.empty();
    }
    Matcher level = MECHANISM.matcher(message);
    return Optional.of(
        "Kerberos gives no ticket for the NameNode ("
            + (level.find() ? level.group(1) : failure.getClass().getSimpleName())
            + "): is the KDC of krb5.conf reachable, and is your ticket valid? (klist)");
  }

  private static String noTicket() {
    Instant now = Instant.now();
    return TicketCache.unserving(now).map(ticket -> ofTicket(ticket, now)).orElse(NO_TICKET);
  }

  /** Says of a ticket that did not serve why, and what to do. */
  static String ofTicket(TicketCache.Ticket ticket, Instant now) {
    if (!ticket.hasEndedAt(now)) {
      return "the Kerberos ticket of "
          + ticket.user()
          + " is new, and is taken within a minute: wait, or try again then";
    }
    return "the Kerberos ticket of "
        + ticket.user()
        + " ended at "
        + ticket.end().truncatedTo(ChronoUnit.SECONDS)
        + ": run kinit"
        + BY_KEYTAB;
  }
}
