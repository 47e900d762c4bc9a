package io.tierwise.hadoop.autotier;

import io.tierwise.core.cluster.Tier;
import io.tierwise.core.message.FileReason;
import io.tierwise.core.message.Nearest;
import io.tierwise.core.message.OperatorException;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.hdfs.tiers.PathPattern;
import io.tierwise.hadoop.mover.MoverCluster;
import io.tierwise.policies.rules.FileRule;
import io.tierwise.policies.rules.FileRules;
import io.tierwise.policies.rules.RuleAction;
import io.tierwise.policies.rules.RuleCondition;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The rules of a file, checked against the cluster.
 *
 * @param name of the file, for messages
 * @param zone of the times of day
 */
record RuleBook(String name, List<Entry> entries, ZoneId zone) {
  /** No rules. */
  static final RuleBook EMPTY = new RuleBook("", List.of());

  /** A rule with the paths that it is about. */
  record Entry(FileRule rule, PathPattern paths) {}

  RuleBook {
    entries = List.copyOf(entries);
  }

  /** With times of day in UTC. */
  RuleBook(String name, List<Entry> entries) {
    this(name, entries, ZoneOffset.UTC);
  }

  /** What such a book is checked against. */
  record Checks(
      MoverCluster cluster, Hardware hardware, AutotierSettings settings, StoreRuns stores) {}

  /**
   * Reads a file of rules.
   *
   * @param zone of the times of day
   * @param keptMillis for which reads are kept
   * @throws OperatorException one line that names the rule's line and what is wrong
   */
  static RuleBook load(Path file, ZoneId zone, Checks checks, long keptMillis) {
    String name = String.valueOf(file.getFileName());
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      RuleBook book =
          new RuleBook(
              name,
              FileRules.parse(name, lines).stream()
                  .map(rule -> new Entry(rule, paths(name, rule)))
                  .toList(),
              zone);
      book.entries.forEach(entry -> book.check(entry.rule(), checks, keptMillis));
      return book;
    } catch (CharacterCodingException e) {
      throw OperatorException.badInput("--rules " + file + " is no text in UTF-8: save it as that");
    } catch (IOException e) {
      throw OperatorException.badInput(
          "--rules " + file + " cannot be read: " + FileReason.alone(e));
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

  /** Whether any of its files comes first. */
  boolean hasSla() {
    return entries.stream().anyMatch(entry -> entry.rule().action() instanceof RuleAction.Sla);
  }

  /** Whether files come first by that action now. */
  boolean isDue(RuleAction.Sla sla, double nowSeconds, double aroundSeconds) {
    Instant now = Instant.ofEpochMilli(Math.round(nowSeconds * 1e3));
    return sla.isDue(LocalTime.ofInstant(now, zone).toSecondOfDay(), aroundSeconds);
  }

  private void check(FileRule rule, Checks checks, long keptMillis) {
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
        && wanted.count() > checks.hardware().replicasEver()) {
      throw new IllegalArgumentException(
          at(rule)
              + ": "
              + wanted.text()
              + " is more than a file can have here, which is "
              + checks.hardware().replicasEver());
    }
    if (rule.action() instanceof RuleAction.InTier wanted) {
      checkTier(rule, wanted, checks);
    }
    if (rule.action() instanceof RuleAction.Secondary) {
      checkStore(rule, checks);
    }
    if (rule.action() instanceof RuleAction.Sla wanted
        && wanted.byMinute().isPresent()
        && checks.settings().fastTier().isEmpty()) {
      throw new IllegalArgumentException(
          at(rule)
              + ": "
              + wanted.text()
              + " needs a tier for files to be in by then: name it with --fast-tier");
    }
  }

  private void checkStore(FileRule rule, Checks checks) {
    try {
      checks.stores().requireReachable(checks.cluster());
    } catch (OperatorException e) {
      throw new IllegalArgumentException(at(rule) + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw OperatorException.cluster(at(rule) + ": " + e.getMessage(), e);
    }
  }

  private void checkTier(FileRule rule, RuleAction.InTier wanted, Checks checks) {
    if (!checks.hardware().isSuperuser()) {
      throw new IllegalArgumentException(
          at(rule) + ": moving replicas to a tier needs HDFS's superuser");
    }
    List<String> names = checks.cluster().tiers().table().tiers().stream().map(Tier::name).toList();
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
