package io.tierwise.hadoop.inspect.health;

import com.fasterxml.jackson.databind.JsonNode;
import io.tierwise.core.message.Listener;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.datanode.KeptFree;
import io.tierwise.hadoop.hdfs.tiers.TierConfiguration;
import io.tierwise.hadoop.inspect.cluster.ClusterVolumes;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.security.UserGroupInformation;

/** Asks the web servers of all live DataNodes, some at a time, within a bound. */
public final class DataNodeChecks {
  private static final String WHERE = "datanode";
  private static final String BEAN = "Hadoop:service=DataNode,name=TierwiseReads";
  private static final String DATASET_BEAN = "Hadoop:service=DataNode,name=FSDatasetState-";
  private static final int ASKED_AT_A_TIME = 16;

  /** At 16 at a time and some 20 ms a node, 10,000 nodes take less than a minute. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final DaemonHttp http;
  private final TierConfiguration tiers;
  private final Findings findings;
  private final boolean refusalsNeeded;

  /**
   * @param refusalsNeeded whether a strategy counts on DataNodes that refuse reads
   */
  public DataNodeChecks(
      DaemonHttp http, TierConfiguration tiers, Findings findings, boolean refusalsNeeded) {
    this.http = http;
    this.tiers = tiers;
    this.findings = findings;
    this.refusalsNeeded = refusalsNeeded;
  }

  /**
   * The answer of one DataNode.
   *
   * @param table source and digest of its tier table; empty when it reads none
   * @param failed what it gave up
   */
  private record Told(
      RefusalChecks.Node refusals,
      boolean choosesByStorage,
      long keptFreeBytes,
      String table,
      String digest,
      FailedVolumeChecks.Node failed) {}

  public void run(
      DatanodeInfo[] live,
      boolean https,
      ClusterVolumes volumes,
      OptionalLong nameNodeKeepsFree,
      Listener.Step step) {
    Map<String, Told> told = new TreeMap<>();
    Map<String, List<String>> silent = new LinkedHashMap<>();
    try {
      ask(live, https, told, silent, step);
    } finally {
      step.finish(told.size() + " answered");
    }
    silent.forEach(
        (reason, names) ->
            findings.add(
                Finding.notChecked(
                    WHERE,
                    Findings.names(names),
                    reason,
                    "check dfs.datanode.http.address and dfs.datanode.https.address")));
    if (told.isEmpty()) {
      return;
    }
    findings.add(Finding.ok(WHERE, "asked " + told.size() + " of " + live.length + " nodes"));
    Map<String, FailedVolumeChecks.Node> failed = new TreeMap<>();
    told.forEach((name, node) -> failed.put(name, node.failed()));
    failed.values().removeIf(node -> node.gaveUp().isEmpty());
    new FailedVolumeChecks(volumes, failed).findings().forEach(findings::add);
    Map<String, RefusalChecks.Node> refusing = new TreeMap<>();
    told.forEach((name, node) -> refusing.put(name, node.refusals()));
    new RefusalChecks(refusing, findings).run(refusalsNeeded);
    tables(told);
    volumeChoice(told, volumes);
    Map<String, Long> keptFree = new TreeMap<>();
    told.forEach((name, node) -> keptFree.put(name, node.keptFreeBytes()));
    KeptFreeChecks kept = new KeptFreeChecks(keptFree, findings);
    kept.compare(nameNodeKeepsFree);
    kept.volumes(volumes, nameNodeKeepsFree);
  }

  private void ask(
      DatanodeInfo[] live,
      boolean https,
      Map<String, Told> told,
      Map<String, List<String>> silent,
      Listener.Step step) {
    ExecutorService pool = Executors.newFixedThreadPool(ASKED_AT_A_TIME);
    try {
      Map<String, Future<Told>> answers = new LinkedHashMap<>();
      for (DatanodeInfo node : live) {
        answers.put(name(node), pool.submit(() -> ask(node, http.at(web(node, https)))));
      }
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      for (Map.Entry<String, Future<Told>> answer : answers.entrySet()) {
        String reason = null;
        try {
          long left = Math.max(0, deadline - System.nanoTime());
          told.put(answer.getKey(), answer.getValue().get(left, TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
          reason = Reason.of(e.getCause());
        } catch (TimeoutException e) {
          reason = "not asked within " + PATIENCE.toSeconds() + " s";
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          reason = "interrupted";
        }
        if (reason != null) {
          silent.computeIfAbsent(reason, ignored -> new ArrayList<>()).add(answer.getKey());
        }
        step.add(1);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Certificates and Kerberos know a host by its name; else the address needs no look-up. */
  private static URI web(DatanodeInfo node, boolean https) {
    if (https) {
      return URI.create("https://" + node.getHostName() + ":" + node.getInfoSecurePort());
    }
    String host = UserGroupInformation.isSecurityEnabled() ? node.getHostName() : node.getIpAddr();
    return URI.create("http://" + host + ":" + node.getInfoPort());
  }

  static String name(DatanodeInfo node) {
    return node.getHostName() + ":" + node.getXferPort();
  }

  private static Told ask(DatanodeInfo datanode, DaemonHttp.Daemon node) throws IOException {
    JsonNode bean = node.bean(BEAN).orElse(null);
    List<String> failed = new ArrayList<>();
    node.bean(DATASET_BEAN + datanode.getDatanodeUuid())
        .ifPresent(
            dataset ->
                dataset
                    .path("FailedStorageLocations")
                    .forEach(folder -> failed.add(folder.asText())));
    return new Told(
        new RefusalChecks.Node(
            PluginKeys.DATASET.isSetBy(node.configured(PluginKeys.DATASET.key())),
            bean != null,
            bean != null && bean.path("Limiting").asBoolean(),
            bean == null ? "" : bean.path("Problem").asText("")),
        PluginKeys.VOLUME_CHOICE.isSetBy(node.configured(PluginKeys.VOLUME_CHOICE.key())),
        KeptFree.ofDataNode(node::configured),
        bean == null ? "" : bean.path("TierTableSource").asText(""),
        bean == null ? "" : bean.path("TierTableDigest").asText(""),
        new FailedVolumeChecks.Node(
            datanode,
            failed,
            failed.isEmpty()
                ? ""
                : node.configured(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY).orElse("")));
  }

  private static List<String> with(Map<String, Told> told, Predicate<Told> wanted) {
    return told.entrySet().stream()
        .filter(entry -> wanted.test(entry.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void tables(Map<String, Told> told) {
    Map<String, List<String>> others = new TreeMap<>();
    told.forEach(
        (name, node) -> {
          if (!node.digest().isEmpty() && !node.digest().equals(tiers.digest())) {
            String table = node.table() + " (" + node.digest() + ")";
            others.computeIfAbsent(table, ignored -> new ArrayList<>()).add(name);
          }
        });
    others.forEach(
        (table, names) ->
            findings.add(
                Finding.failure(
                    WHERE,
                    Findings.names(names) + " read another tier table: " + table,
                    "make it the same as "
                        + tiers.source()
                        + " ("
                        + tiers.digest()
                        + "), restart")));
    long readers = with(told, node -> !node.digest().isEmpty()).size();
    if (others.isEmpty() && readers > 0) {
      findings.add(
          Finding.ok(
              WHERE, Words.count(readers, "node") + " with the same tier table as this command"));
    }
  }

  /** Matters only where one node has two tiers of one storage type. */
  private void volumeChoice(Map<String, Told> told, ClusterVolumes volumes) {
    Map<String, Set<Integer>> tiersByType = new HashMap<>();
    Set<String> mixed =
        volumes.volumes().stream()
            .filter(volume -> volume.tier() >= 0)
            .filter(
                volume -> {
                  Set<Integer> seen =
                      tiersByType.computeIfAbsent(
                          volume.address() + " " + volume.storageType(),
                          ignored -> new HashSet<>());
                  return seen.add(volume.tier()) && seen.size() > 1;
                })
            .map(volume -> nodeOf(volume))
            .collect(Collectors.toSet());
    List<String> lacking =
        with(told, node -> !node.choosesByStorage()).stream().filter(mixed::contains).toList();
    if (!lacking.isEmpty()) {
      findings.add(
          Finding.warning(
              WHERE,
              Findings.names(lacking)
                  + " have two tiers of one storage type, and "
                  + PluginKeys.VOLUME_CHOICE.key()
                  + " is not ours there",
              PluginKeys.VOLUME_CHOICE.advice()));
    }
  }

  private static String nodeOf(ClusterVolumes.Volume volume) {
    return volume.node() + volume.address().substring(volume.address().lastIndexOf(':'));
  }
}
