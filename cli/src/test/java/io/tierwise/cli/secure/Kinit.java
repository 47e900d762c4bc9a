package io.tierwise.cli.secure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;

/** Leaves tickets in files, as kinit does. */
final class Kinit {
  private Kinit() {}

  static KrbClient client(SecureHdfs hdfs) throws KrbException {
    KrbClient client = new KrbClient(hdfs.realm().getParent().toFile());
    client.init();
    return client;
  }

  /** A ticket that ends after so long. */
  private static TgtTicket ticket(SecureHdfs hdfs, String user, int seconds) throws KrbException {
    KOptions wanted = new KOptions();
    wanted.add(KrbOption.USE_KEYTAB, true);
    wanted.add(KrbOption.KEYTAB_FILE, hdfs.keytab(user.split("/", 2)[0]));
    wanted.add(KrbOption.CLIENT_PRINCIPAL, hdfs.principal(user));
    wanted.add(KrbOption.LIFE_TIME, seconds);
    return client(hdfs).requestTgt(wanted);
  }

  /** Leaves one in the place of the one before. */
  static void as(SecureHdfs hdfs, String user, int seconds, Path cache)
      throws KrbException, IOException {
    Path fresh = cache.resolveSibling(cache.getFileName() + ".fresh");
    client(hdfs).storeTicket(ticket(hdfs, user, seconds), fresh.toFile());
    Files.move(fresh, cache, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Leaves one whose time is over. */
  static Path over(SecureHdfs hdfs, String user, Path cache) throws KrbException {
    TgtTicket ticket = ticket(hdfs, user, 60);
    KerberosTime over = new KerberosTime(System.currentTimeMillis() - 60_000);
    ticket.getEncKdcRepPart().setEndTime(over);
    ticket.getEncKdcRepPart().setRenewTill(over);
    client(hdfs).storeTicket(ticket, cache.toFile());
    return cache;
  }
}
