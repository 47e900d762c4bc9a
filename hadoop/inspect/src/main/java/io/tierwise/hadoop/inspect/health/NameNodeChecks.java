package io.tierwise.hadoop.inspect.health;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.namenode.RegionNames;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.health.NameNodeKeyChecks.Use;
import io.tierwise.hadoop.inspect.health.NodeStateChecks.Staleness;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Looks at each NameNode of a file system by itself, since after a failover another one decides:
 * its keys, whether the plug-in runs in it, which tier table it reads.
 */
public final class NameNodeChecks {
  public static final String ADVICE =
      "check dfs.namenode.http-address and dfs.namenode.https-address, and that its process runs";

  private static final String BEAN = "Hadoop:service=NameNode,name=";

  /** A NameNode has it when it orders replicas. */
  static final String ORDER_BEAN = BEAN + "TierwiseTopology";

  private static final String STALE_INTERVAL = "dfs.namenode.stale.datanode.interval";
  private static final String AVOID_STALE = "dfs.namenode.avoid.write.stale.datanode";

  /** Keys by which two NameNodes must decide alike. */
  private static final List<String> ALIKE =
      List.of(
          "tierwise.namenode.regions",
          "tierwise.namenode.layout-safe-deletion.enabled",
          "tierwise.namenode.access.strategy",
          "tierwise.namenode.load.floor-transfers",
          UnmanagedClassChecks.CLASS,
          UnmanagedClassChecks.DOMAIN_COUNT,
          UnmanagedClassChecks.HOSTS,
          "dfs.net.topology.impl");

  private final Configuration conf;
  private final DaemonHttp http;
  private final TierConfiguration tiers;
  private final NameNodeKeyChecks keys;
  private final Findings findings;
  private final Map<String, Map<String, String>> alike = new LinkedHashMap<>();
  private final Map<String, HAServiceState> states = new HashMap<>();
  private final Map<String, String> stateContexts = new TreeMap<>();
  private int targetCount;
  private Staleness staleness = Staleness.UNKNOWN;
  private int domainCount;
  private RegionNames locations;
  private OptionalLong keptFreeBytes = OptionalLong.empty();
  private boolean ordersReadsAlone;

  NameNodeChecks(
      Configuration conf,
      DaemonHttp http,
      TierConfiguration tiers,
      NameNodeKeyChecks keys,
      Findings findings) {
    this.conf = conf;
    this.http = http;
    this.tiers = tiers;
    this.keys = keys;
    this.findings = findings;
    locations = new RegionNames("", RegionNames.hasNodeGroups(conf));
  }

  public void run(List<NameNodeTarget> targets) {
    targetCount = targets.size();
    for (NameNodeTarget target : targets) {
      String where = "namenode " + target.name();
      findings.check(
          where,
          target.stateText(),
          "check that its process runs, and dfs.namenode.rpc-address",
          () -> state(where, target));
      findings.check(
          where, target.webText(), ADVICE, () -> look(where, target.name(), http.at(target.web())));
    }
    alike.forEach(this::compare);
    ObserverChecks.of(states.values(), stateContexts).forEach(findings::add);
  }

  /**
   * Whether no NameNode of several is known to be active; says so, and what stays unknown.
   *
   * @param uri their file system
   */
  public boolean noneIsActive(URI uri) {
    if (targetCount < 2 || states.containsValue(HAServiceState.ACTIVE)) {
      return false;
    }
    String advice = "see 'hdfs haadmin -getAllServiceState', and make one active";
    if (states.size() == targetCount) {
      findings.add(
          Finding.failure(
              "namenode", uri + ": no NameNode is active: nothing can be written", advice));
    }
    findings.add(
        Finding.notChecked(
            "datanode", "nodes, volumes and paths", "no NameNode is known to be active", advice));
    return true;
  }

  /**
   * The bytes that DataNodes keep free as the active NameNode believes; empty without a plug-in.
   */
  public OptionalLong keptFreeBytes() {
    return keptFreeBytes;
  }

  /** Whether the active NameNode places as stock HDFS, and is meant to. */
  public boolean ordersReadsAlone() {
    return ordersReadsAlone;
  }

  /** The DataNodes that the active NameNode takes for stale. */
  public Staleness staleness() {
    return staleness;
  }

  private static Staleness staleness(DaemonHttp.Daemon daemon) throws IOException {
    Staleness usual = Staleness.UNKNOWN;
    return new Staleness(
        Integer.parseInt(daemon.attribute(BEAN + "FSNamesystemState", "NumStaleDataNodes")),
        millis(daemon.configured(STALE_INTERVAL), usual.millis()),
        daemon.configured(AVOID_STALE).map(String::strip).orElse("false").equals("true"));
  }

  /** With or without a unit, as Hadoop reads a time; milliseconds without. */
  private static long millis(Optional<String> time, long byDefault) {
    Configuration parser = new Configuration(false);
    time.ifPresent(value -> parser.set(STALE_INTERVAL, value));
    return parser.getTimeDuration(STALE_INTERVAL, byDefault, TimeUnit.MILLISECONDS);
  }

  /** The racks of the active NameNode; those of this configuration where it told nothing. */
  public RegionNames locations() {
    return locations;
  }

  private static RegionNames locations(DaemonHttp.Daemon daemon) throws IOException {
    Configuration theirs = new Configuration(false);
    for (String key : RegionNames.NODE_GROUP_KEYS) {
      daemon.configured(key).ifPresent(value -> theirs.set(key, value));
    }
    return new RegionNames("", RegionNames.hasNodeGroups(theirs));
  }

  /** Over how many upgrade domains the active NameNode spreads a block; 0 when over none. */
  public int domainCount() {
    return domainCount;
  }

  private static int domainCount(DaemonHttp.Daemon daemon) throws IOException {
    String unmanaged = daemon.configured(UnmanagedClassChecks.CLASS).orElse("").strip();
    if (!UnmanagedClassChecks.needsDomains(unmanaged)) {
      return 0;
    }
    Optional<String> count = daemon.configured(UnmanagedClassChecks.DOMAIN_COUNT);
    return count.isPresent()
        ? Integer.parseInt(count.get().strip())
        : UnmanagedClassChecks.DOMAIN_COUNT_DEFAULT;
  }

  /** By RPC, which standby NameNodes and observers answer as well. */
  private void state(String where, NameNodeTarget target) throws IOException {
    ClientProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                conf,
                target.rpc(),
                ClientProtocol.class,
                UserGroupInformation.getCurrentUser(),
                false)
            .getProxy();
    try {
      HAServiceState state =
          target.highlyAvailable() ? nameNode.getHAServiceState() : HAServiceState.ACTIVE;
      states.put(target.name(), state);
      if (!nameNode.setSafeMode(SafeModeAction.SAFEMODE_GET, false)) {
        findings.add(Finding.ok(where, "is " + state + " and out of safe mode"));
      } else if (state == HAServiceState.ACTIVE) {
        findings.add(
            Finding.failure(
                where,
                "is active and in safe mode",
                "wait for the block reports, or run 'hdfs dfsadmin -safemode leave'"));
      } else {
        findings.add(Finding.warning(where, "is " + state + " and in safe mode", "wait"));
      }
    } finally {
      RPC.stopProxy(nameNode);
    }
  }

  private void look(String where, String name, DaemonHttp.Daemon daemon) throws IOException {
    HAServiceState state = states.get(name);
    if (state == HAServiceState.ACTIVE) {
      staleness = staleness(daemon);
      locations = locations(daemon);
    }
    NameNodeKeyChecks.Found found = keys.of(where, state, daemon::configured);
    found.findings().forEach(findings::add);
    if (found.use() != Use.INCOMPLETE) {
      String key = PluginKeys.PLACEMENT.key();
      compareLater(key, name, daemon.configured(key).orElse("not set"));
    }
    Optional<JsonNode> bean = daemon.bean(BEAN + "TierwisePlacement");
    if (bean.isPresent() && bean.get().has("TierTableSource")) {
      findings.add(Finding.ok(where, "the plug-in runs and publishes its counters"));
      tierTable(where, bean.get());
      counters(where, bean.get());
      if (state == HAServiceState.ACTIVE
          && found.use() != Use.READS_ALONE
          && bean.get().has("KeptFreeBytes")) {
        keptFreeBytes = OptionalLong.of(bean.get().path("KeptFreeBytes").asLong());
      }
    } else if (found.running()) {
      findings.add(
          Finding.failure(
              where,
              "the plug-in is configured but does not run",
              "its log says why, in a line with \"Tierwise\"; then restart it"));
    }
    LoadKeyChecks.of(where, daemon::configured).forEach(findings::add);
    AuditLoggerChecks.of(where, daemon::configured, daemon.bean(BEAN + AuditLoggerChecks.BEAN))
        .forEach(findings::add);
    String placing = bean.map(b -> b.path("UnmanagedClass").asText("")).orElse("");
    UnmanagedClassChecks.of(where, daemon::configured, placing).forEach(findings::add);
    ReadOrderChecks.ofNameNode(
            where,
            conf.getTrimmed(ClientChecks.STRATEGY, ""),
            daemon::configured,
            daemon.bean(ORDER_BEAN).isPresent())
        .forEach(findings::add);
    if (state == HAServiceState.ACTIVE) {
      domainCount = domainCount(daemon);
      ordersReadsAlone = found.use() == Use.READS_ALONE;
    }
    stateContexts.put(name, daemon.configured(ObserverChecks.KEY).orElse("false"));
    for (String key : ALIKE) {
      compareLater(key, name, daemon.configured(key).orElse("not set"));
    }
    if (found.use() == Use.PLACEMENT) {
      keptFree(where, name, daemon);
    }
    if (!daemon.configured("hadoop.prometheus.endpoint.enabled").equals(Optional.of("true"))) {
      findings.add(
          Finding.ok(where, "/prom is off: hadoop.prometheus.endpoint.enabled turns it on"));
    }
  }

  /** The bytes that the NameNode counts as kept free, by two keys and a default. */
  private void keptFree(String where, String name, DaemonHttp.Daemon daemon) throws IOException {
    try {
      compareLater(KeptFree.KEY, name, Long.toString(KeptFree.of(daemon::configured)));
    } catch (IllegalArgumentException e) {
      findings.add(Finding.failure(where, e.getMessage(), "correct the key there and restart it"));
    }
  }

  private void tierTable(String where, JsonNode bean) {
    String digest = bean.path("TierTableDigest").asText("");
    String source = bean.path("TierTableSource").asText();
    if (digest.equals(tiers.digest())) {
      findings.add(Finding.ok(where, "reads the same tier table as this command: " + source));
    } else {
      findings.add(
          Finding.failure(
              where,
              "reads another tier table: " + source + " (" + digest + ")",
              "make it the same as " + tiers.source() + " (" + tiers.digest() + "), restart"));
    }
  }

  private void counters(String where, JsonNode bean) {
    for (JsonNode entry : bean.path("StockTakeovers")) {
      String reason = entry.path("key").asText();
      long count = entry.path("value").asLong();
      if (count > 0 && reason.equals("error")) {
        findings.add(
            Finding.warning(
                where,
                "the plug-in failed "
                    + Words.count(count, "time")
                    + " since the start; stock HDFS decided",
                "the first error stands in its log"));
      } else if (count > 0 && reason.equals("slow")) {
        findings.add(
            Finding.warning(
                where,
                "a policy was too slow "
                    + Words.count(count, "time")
                    + " since the start; stock HDFS decided",
                "its log names the class, metrics its seconds; set another policy or mend it"));
      } else if (count > 0 && reason.equals("bad_specification")) {
        findings.add(
            Finding.warning(
                where,
                Words.count(count, "decision") + " met a policy that cannot be understood",
                "those that are still so stand under 'paths'; its log names a file of each"));
      }
    }
  }

  private void compareLater(String key, String name, String value) {
    alike.computeIfAbsent(key, ignored -> new TreeMap<>()).put(name, value);
  }

  private void compare(String key, Map<String, String> valuesByName) {
    if (valuesByName.values().stream().distinct().count() > 1) {
      findings.add(
          Finding.failure(
              "namenode",
              key + " differs: " + valuesByName,
              "set it alike everywhere: a failover would change what is decided"));
    }
  }
}
