package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.Nearest;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.PathPattern;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.hadoop.secondary.SecondaryTier;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.FileRules;
import io.tierwise.policies.rules.RuleAction;
import io.tierwise.policies.rules.RuleCondition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The rules of a file, checked against the cluster.
 *
 * @param name of the file, for messages
 */
record RuleBook(String name, List<Entry> entries) {
  /** No rules. */
  static final RuleBook EMPTY = new RuleBook("", List.of());

  /** A rule with the paths that it is about. */
  record Entry(FileRule rule, PathPattern paths) {}

  RuleBook {
    entries = List.copyOf(entries);
  }

  /**
   * Reads a file of rules.
   *
   * @param keptMillis for which reads are kept
   * @throws OperatorException one line that names the rule's line and what is wrong
   */
  static RuleBook load(Path file, MoverCluster cluster, Hardware hardware, long keptMillis) {
    String name = String.valueOf(file.getFileName());
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      RuleBook book =
          new RuleBook(
              name,
              FileRules.parse(name, lines).stream()
                  .map(rule -> new Entry(rule, paths(name, rule)))
                  .toList());
      book.entries.forEach(entry -> book.check(entry.rule(), cluster, hardware, keptMillis));
      return book;
    } catch (IOException e) {
      throw OperatorException.badInput(
          "--rules " + file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    } catch (IllegalArgumentException e) {
      throw OperatorException.badInput(e.getMessage());
    }
  }

  private static PathPattern paths(String name, FileRule rule) {
    try {
      return new PathPattern(rule.pattern());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ":" + rule.line() + ": " + e.getMessage(), e);
    }
  }

  /** The place of a rule, for people. */
  String at(FileRule rule) {
    return name + ":" + rule.line();
  }

  private void check(FileRule rule, MoverCluster cluster, Hardware hardware, long keptMillis) {
    for (RuleCondition condition : rule.conditions()) {
      if (condition.seconds() * 1e3 > keptMillis) {
        throw new IllegalArgumentException(
            at(rule)
                + ": "
                + condition.text()
                + " asks for more than the "
                + Words.duration(keptMillis / 1e3)
                + " that reads are kept: make --window longer");
      }
    }
    if (rule.action() instanceof RuleAction.Replicas wanted
        && wanted.count() > hardware.replicasMax()) {
      throw new IllegalArgumentException(
          at(rule)
              + ": "
              + wanted.text()
              + " is more than a file can have here, which is "
              + hardware.replicasMax());
    }
    if (rule.action() instanceof RuleAction.InTier wanted) {
      checkTier(rule, wanted, cluster, hardware);
    }
    if (rule.action() instanceof RuleAction.Secondary) {
      checkStore(rule, cluster);
    }
  }

  private void checkStore(FileRule rule, MoverCluster cluster) {
    try (SecondaryTier tier = StoreMoves.open(cluster)) {
      tier.requireReachable();
    } catch (OperatorException e) {
      throw new IllegalArgumentException(at(rule) + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw OperatorException.cluster(at(rule) + ": " + e.getMessage(), e);
    }
  }

  private void checkTier(
      FileRule rule, RuleAction.InTier wanted, MoverCluster cluster, Hardware hardware) {
    if (!hardware.isSuperuser()) {
      throw new IllegalArgumentException(
          at(rule) + ": moving replicas to a tier needs HDFS's superuser");
    }
    List<String> names = cluster.tiers().table().tiers().stream().map(Tier::name).toList();
    if (!names.contains(wanted.tier())) {
      throw new IllegalArgumentException(
          at(rule)
              + ": unknown tier \""
              + Words.plain(wanted.tier())
              + "\""
              + Nearest.hint(wanted.tier(), names));
    }
  }
}
