package io.tierwise.hadoop.inspect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.hadoop.inspect.cluster.TicketCache.Ticket;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class KerberosTextTest {
  private static final Instant END = Instant.parse("2026-01-31T14:00:00.5Z");
  private static final Ticket TICKET = new Ticket("ann@EXAMPLE.COM", END);

  @Test
  void saysWhenATicketEndedAndHowToGetAnother() {
    assertThat(KerberosText.ofTicket(TICKET, END))
        .isEqualTo(
            "the Kerberos ticket of ann@EXAMPLE.COM ended at 2026-01-31T14:00:00Z: run kinit"
                + " (a daemon logs in by tierwise.keytab.file)");
  }

  /** Hadoop looks at the cache once a minute at most. */
  @Test
  void asksForPatienceWithANewOne() {
    assertThat(KerberosText.ofTicket(TICKET, END.minusMillis(1)))
        .isEqualTo(
            "the Kerberos ticket of ann@EXAMPLE.COM is new, and is taken within a minute: wait, or"
                + " try again then");
  }

  /** Java says so of a cache without a ticket, and Hadoop's client before that of a login. */
  @Test
  void aLoginWithoutAKeytabNamesNoKeytabThatIsWrong() {
    IOException thrown =
        new IOException(
            "Login failure for user: ann@EXAMPLE.COM javax.security.auth.login.LoginException:"
                + " Unable to obtain password from user");
    assertThat(KerberosText.of(thrown).orElseThrow()).contains("kinit").doesNotContain("KDC");
  }
}
