package io.tierwise.cli.secure;

import io.tierwise.cli.process.FreePort;
import io.tierwise.hadoop.hdfs.client.TierwiseFileSystem;
import io.tierwise.hadoop.hdfs.client.TierwiseFs;
import io.tierwise.hadoop.hdfs.namenode.MonitorSettings;
import io.tierwise.hadoop.hdfs.namenode.TierwiseNameNodePlugin;
import io.tierwise.hadoop.hdfs.namenode.TierwisePlacementPolicy;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.TierwiseDatasetFactory;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.ssl.KeyStoreTestUtil;
import org.apache.kerby.kerberos.kerb.client.KrbClient;

/**
 * A real HDFS that asks for Kerberos, with our plug-ins: block tokens, encrypted data transfer, web
 * pages by HTTPS only. One user, alice, has a keytab and a ticket cache.
 */
final class SecureHdfs implements AutoCloseable {
  static final String TIERS =
      """
      tiers:
        - name: fast
          match: {storage-type: SSD}
        - name: slow
          match: {storage-type: DISK}
      """;

  /** The keys, without their "dfs.", by which a client finds NameNodes by a logical name. */
  private static final String LOGICAL_NAME =
      "nameservices|ha\\.namenodes\\..*|namenode\\.rpc-address\\..*"
          + "|client\\.failover\\.proxy\\.provider\\..*";

  /** The output and exit code of a command. */
  record Ended(int exitCode, String out, String err, double seconds) {}

  private final Path folder;
  private final MiniKdc kdc;
  private final Path conf;
  private final String sslConf;

  /** Locked: the keys for HTTPS lie in one file of the class path, also for a suite beside us. */
  private final FileChannel keysInUse;

  private MiniQJMHACluster journaled;
  private MiniDFSCluster cluster;

  private SecureHdfs(Path folder) throws Exception {
    this.folder = folder;
    sslConf = KeyStoreTestUtil.getClasspathDir(SecureHdfs.class);
    keysInUse =
        FileChannel.open(
            Path.of(sslConf, "keys.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    keysInUse.lock();
    Properties realm = MiniKdc.createConf();
    // The one that it would choose may be another process's before it listens there.
    realm.setProperty(MiniKdc.KDC_PORT, String.valueOf(FreePort.any()));
    kdc = new MiniKdc(realm, folder.toFile());
    kdc.start();
    kdc.createPrincipal(keytab("hdfs"), "hdfs/localhost", "HTTP/localhost");
    kdc.createPrincipal(keytab("alice"), "alice");
    KrbClient client = Kinit.client(this);
    for (String user : List.of("alice", "hdfs/localhost")) {
      client.storeTicket(
          client.requestTgt(user + "@" + kdc.getRealm(), keytab(user.split("/", 2)[0])),
          tickets(user).toFile());
    }
    conf = Files.createDirectories(folder.resolve("conf"));
  }

  /** One NameNode; DataNodes speak SASL, on any port. */
  static SecureHdfs start(Path folder) throws Exception {
    return start(
        folder,
        Map.of("dfs.data.transfer.protection", "privacy"),
        (hdfs, server) ->
            hdfs.cluster =
                shaped(new MiniDFSCluster.Builder(server, folder.resolve("dfs").toFile())).build());
  }

  /**
   * A disk and an SSD, on a node each.
   *
   * @param protection keys of data transfer
   */
  static SecureHdfs startApart(Path folder, Map<String, String> protection) throws Exception {
    return start(
        folder,
        protection,
        (hdfs, server) ->
            hdfs.cluster =
                shaped(new MiniDFSCluster.Builder(server, folder.resolve("dfs").toFile()))
                    .storagesPerDatanode(1)
                    .storageTypes(new StorageType[][] {{StorageType.DISK}, {StorageType.SSD}})
                    .build());
  }

  /** One whose superuser may act for some users, and for no others. */
  static SecureHdfs startWithProxy(Path folder, String users) throws Exception {
    return start(
        folder,
        Map.of(
            "dfs.data.transfer.protection",
            "privacy",
            "hadoop.proxyuser.hdfs.hosts",
            "*",
            "hadoop.proxyuser.hdfs.users",
            users),
        (hdfs, server) ->
            hdfs.cluster =
                shaped(new MiniDFSCluster.Builder(server, folder.resolve("dfs").toFile())).build());
  }

  /** DataNodes that show by a port below 1024 that root started them, in place of SASL. */
  static SecureHdfs startOnPrivilegedPorts(Path folder, int... ports) throws Exception {
    Configuration[] addresses = new Configuration[ports.length];
    for (int i = 0; i < ports.length; i++) {
      addresses[i] = new Configuration(false);
      addresses[i].set("dfs.datanode.address", "localhost:" + ports[i]);
      addresses[i].set("dfs.datanode.ipc.address", "localhost:0");
    }
    return start(
        folder,
        Map.of(),
        (hdfs, server) ->
            hdfs.cluster =
                shaped(new MiniDFSCluster.Builder(server, folder.resolve("dfs").toFile()))
                    .checkDataNodeAddrConfig(true)
                    .dataNodeConfOverlays(addresses)
                    .build());
  }

  /** Three NameNodes, the third an observer, on a quorum journal that asks for Kerberos as well. */
  static SecureHdfs startHighlyAvailable(Path folder) throws Exception {
    return start(
        folder,
        Map.of(
            "dfs.data.transfer.protection", "privacy",
            "dfs.namenode.state.context.enabled", "true"),
        SecureHdfs::startHighlyAvailable);
  }

  private void startHighlyAvailable(Configuration server) throws IOException {
    String servers = "hdfs/localhost@" + kdc.getRealm();
    server.set("dfs.journalnode.keytab.file", keytab("hdfs").toString());
    server.set("dfs.journalnode.kerberos.principal", servers);
    server.set(
        "dfs.journalnode.kerberos.internal.spnego.principal", "HTTP/localhost@" + kdc.getRealm());
    server.set("dfs.journalnode.https-address", "localhost:0");
    server.setInt("dfs.ha.tail-edits.period", 1);
    server.setBoolean("dfs.ha.tail-edits.in-progress", true);
    // It wants to know the pages' ports beforehand.
    server.setBoolean("dfs.ha.standby.checkpoints", false);
    MiniQJMHACluster.Builder builder =
        new MiniQJMHACluster.Builder(server, folder.resolve("dfs").toFile())
            .baseDir(folder.resolve("journal").toString())
            .setNumNameNodes(3);
    shaped(builder.getDfsBuilder());
    journaled = builder.build();
    cluster = journaled.getDfsCluster();
    cluster.transitionToActive(0);
    cluster.transitionToObserver(2);
  }

  private static MiniDFSCluster.Builder shaped(MiniDFSCluster.Builder builder) {
    return builder
        .numDataNodes(2)
        // The name in their certificates.
        .hosts(new String[] {"localhost", "localhost"})
        .storagesPerDatanode(2)
        .storageTypes(new StorageType[] {StorageType.SSD, StorageType.DISK});
  }

  /** Brings the daemons up and leaves them in {@link #cluster}. */
  private interface Start {
    void daemonsOf(SecureHdfs hdfs, Configuration server) throws Exception;
  }

  private static SecureHdfs start(Path folder, Map<String, String> more, Start start)
      throws Exception {
    SecureHdfs hdfs = new SecureHdfs(folder);
    try {
      hdfs.startCluster(more, start);
      return hdfs;
    } catch (Exception e) {
      hdfs.close();
      throw e;
    }
  }

  private void startCluster(Map<String, String> more, Start start) throws Exception {
    Files.writeString(conf.resolve("tiers.yaml"), TIERS);
    Configuration server = new HdfsConfiguration();
    secured().forEach(server::set);
    servers().forEach(server::set);
    more.forEach(server::set);
    KeyStoreTestUtil.setupSSLConfig(folder.toString(), sslConf, server, false);
    server.set("dfs.client.https.keystore.resource", KeyStoreTestUtil.getClientSSLConfigFileName());
    server.set("dfs.https.server.keystore.resource", KeyStoreTestUtil.getServerSSLConfigFileName());
    UserGroupInformation.setConfiguration(server);
    start.daemonsOf(this, server);
    cluster.waitActive(0);
    Configuration core = new Configuration(false);
    core.set("hadoop.security.authentication", "kerberos");
    core.set("fs.defaultFS", uri().toString());
    write(core, "core-site.xml");
    Configuration site = new Configuration(false);
    secured().forEach(site::set);
    more.forEach(site::set);
    if (journaled != null) {
      cluster.getConfiguration(0).getPropsWithPrefix("dfs.").entrySet().stream()
          .filter(key -> key.getKey().matches(LOGICAL_NAME))
          .forEach(key -> site.set("dfs." + key.getKey(), key.getValue()));
    }
    site.set("tierwise.mover.journal.directory", folder.resolve("moved").toString());
    write(site, "hdfs-site.xml");
  }

  private Map<String, String> secured() {
    return Map.of(
        "hadoop.security.authentication", "kerberos",
        "dfs.namenode.kerberos.principal", "hdfs/localhost@" + kdc.getRealm(),
        "dfs.block.access.token.enable", "true",
        "dfs.http.policy", "HTTPS_ONLY",
        "tierwise.tiers.file", conf.resolve("tiers.yaml").toString());
  }

  private Map<String, String> servers() {
    return Map.ofEntries(
        Map.entry("dfs.namenode.keytab.file", keytab("hdfs").toString()),
        Map.entry("dfs.datanode.keytab.file", keytab("hdfs").toString()),
        Map.entry("dfs.datanode.kerberos.principal", "hdfs/localhost@" + kdc.getRealm()),
        Map.entry("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm()),
        // Hadoop leaves its pages open by default, also with Kerberos.
        Map.entry(
            "hadoop.http.filter.initializers",
            "org.apache.hadoop.security.AuthenticationFilterInitializer"),
        Map.entry("hadoop.http.authentication.type", "kerberos"),
        Map.entry(
            "hadoop.http.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm()),
        Map.entry("hadoop.http.authentication.kerberos.keytab", keytab("hdfs").toString()),
        Map.entry("dfs.namenode.https-address", "localhost:0"),
        Map.entry("hadoop.prometheus.endpoint.enabled", "true"),
        Map.entry("dfs.datanode.https.address", "localhost:0"),
        Map.entry("dfs.block.replicator.classname", TierwisePlacementPolicy.class.getName()),
        Map.entry("dfs.namenode.plugins", TierwiseNameNodePlugin.class.getName()),
        Map.entry(MonitorSettings.INTERVAL_KEY, "1"),
        Map.entry("dfs.datanode.fsdataset.factory", TierwiseDatasetFactory.class.getName()),
        Map.entry("tierwise.datanode.readers.per-volume.max", "100"),
        Map.entry("dfs.namenode.delegation.token.always-use", "true"));
  }

  private void write(Configuration keys, String name) throws IOException {
    try (Writer out = Files.newBufferedWriter(conf.resolve(name), StandardCharsets.UTF_8)) {
      keys.writeXml(out);
    }
  }

  /** The principal of a user whose keytab there is. */
  String principal(String user) {
    return user + "@" + kdc.getRealm();
  }

  File keytab(String user) {
    return folder.resolve(user + ".keytab").toFile();
  }

  MiniDFSCluster mini() {
    return cluster;
  }

  URI uri() {
    return journaled == null
        ? cluster.getURI()
        : URI.create("hdfs://" + MiniQJMHACluster.NAMESERVICE);
  }

  /** The directory that an administrator would give to clients. */
  Path conf() {
    return conf;
  }

  UserGroupInformation alice() throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        "alice@" + kdc.getRealm(), keytab("alice").toString());
  }

  /** A client's configuration; {@code settings} are keys and values in turn. */
  Configuration client(String... settings) {
    Configuration client = new Configuration(cluster.getConfiguration(0));
    client.set("fs.hdfs.impl", TierwiseFileSystem.class.getName());
    client.set("fs.AbstractFileSystem.hdfs.impl", TierwiseFs.class.getName());
    for (int i = 0; i < settings.length; i += 2) {
      client.set(settings[i], settings[i + 1]);
    }
    return client;
  }

  /** Where Kerberos looks for its key distribution center. */
  Path realm() {
    return kdc.getKrb5conf().toPath();
  }

  /** The same realm, with its key distribution center elsewhere and little patience for it. */
  Path realmServedBy(int port) throws IOException {
    String text = Files.readString(realm());
    String there = text.replace(":" + kdc.getPort(), ":" + port);
    if (there.equals(text)) {
      throw new IOException("no port " + kdc.getPort() + " in " + realm());
    }
    String hasty = "[libdefaults]\n    kdc_timeout = 2000\n    max_retries = 1\n";
    return Files.writeString(
        folder.resolve("krb5-" + port + ".conf"), there.replace("[libdefaults]\n", hasty));
  }

  /** From now on nobody gives tickets; there is no way back. */
  void stopKdc() {
    kdc.stop();
  }

  /** The tickets that kinit would leave for that principal. */
  Path tickets(String principal) {
    return folder.resolve(principal.replace('/', '-') + ".ccache");
  }

  int kdcPort() {
    return kdc.getPort();
  }

  /** A realm, of which a process has tickets for no longer than that. */
  Path realmWithTicketsFor(Path realm, int seconds) throws IOException {
    String text = Files.readString(realm);
    String lifetime = "[libdefaults]\n    ticket_lifetime = " + seconds + "s\n";
    return Files.writeString(
        folder.resolve("short-" + realm.getFileName()), text.replace("[libdefaults]\n", lifetime));
  }

  /** Runs {@code tierwise} as a process of its own; no class path folder is named twice. */
  Ended command(Path realm, Path ticketCache, Path classPathConf, String... arguments)
      throws Exception {
    return TierwiseProcess.start(folder, realm, ticketCache, classPathConf, arguments).ended();
  }

  /** The same for a daemon, which nobody waits for. */
  TierwiseProcess daemon(Path realm, Path ticketCache, String... arguments) throws IOException {
    return TierwiseProcess.start(folder, realm, ticketCache, conf, arguments);
  }

  @Override
  public void close() throws IOException {
    if (journaled != null) {
      journaled.shutdown();
    } else if (cluster != null) {
      cluster.shutdown(true);
    }
    kdc.stop();
    UserGroupInformation.reset();
    try {
      KeyStoreTestUtil.cleanupSSLConfig(folder.toString(), sslConf);
    } catch (Exception e) {
      throw new IOException("cannot remove the keys of HTTPS in " + sslConf, e);
    } finally {
      keysInUse.close();
    }
  }
}
