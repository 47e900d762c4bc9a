package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** Upgrade domains of nodes, where the NameNode spreads blocks over them. */
public final class DomainChecks {
  private static final String WHERE = "datanode";

  private final Findings findings;

  public DomainChecks(Findings findings) {
    this.findings = findings;
  }

  /**
   * Says which nodes have no domain, and whether there are enough domains.
   *
   * @param wanted over how many domains a block is spread; 0 when over none
   */
  public void run(DatanodeInfo[] live, int wanted) {
    if (wanted == 0 || live.length == 0) {
      return;
    }
    List<String> without =
        Arrays.stream(live)
            .filter(node -> node.getUpgradeDomain() == null)
            .map(DataNodeChecks::name)
            .toList();
    if (!without.isEmpty()) {
      findings.add(
          Finding.warning(
              WHERE,
              "no upgrade domain: " + Findings.names(without),
              "each counts as a domain of its own; name one for it in the file of dfs.hosts"));
      return;
    }
    long domains =
        Arrays.stream(live)
            .map(DatanodeInfo::getUpgradeDomain)
            .filter(Objects::nonNull)
            .distinct()
            .count();
    if (domains < wanted) {
      findings.add(
          Finding.warning(
              WHERE,
              Words.count(domains, "upgrade domain")
                  + ", and "
                  + UnmanagedClassChecks.DOMAIN_COUNT
                  + " is "
                  + wanted,
              "no block can be spread so far; name more domains, or lower the key"));
    }
  }
}
