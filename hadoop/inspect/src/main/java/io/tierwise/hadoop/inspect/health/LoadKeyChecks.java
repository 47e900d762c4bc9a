package io.tierwise.hadoop.inspect.health;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Keys of a NameNode with which replicas miss a tier that has room. */
final class LoadKeyChecks {
  private static final String LOAD = "dfs.namenode.redundancy.considerLoad";
  private static final String FACTOR = LOAD + ".factor";
  private static final String FLOOR = "tierwise.namenode.load.floor-transfers";
  private static final String BLOCKS_MIN =
      "dfs.namenode.block-placement-policy.min-blocks-for-write";
  private static final String SATISFIER = "dfs.storage.policy.satisfier.mode";

  private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");

  /** The live value of a key. */
  @FunctionalInterface
  interface Keys {
    Optional<String> configured(String key) throws IOException;
  }

  private final String where;
  private final Keys keys;
  private final List<Finding> findings = new ArrayList<>();

  private LoadKeyChecks(String where, Keys keys) {
    this.where = where;
    this.keys = keys;
  }

  static List<Finding> of(String where, Keys keys) throws IOException {
    LoadKeyChecks checks = new LoadKeyChecks(where, keys);
    checks.load();
    checks.room();
    checks.satisfier();
    return checks.findings;
  }

  private void load() throws IOException {
    if (!"true".equals(keys.configured(LOAD).orElse("true"))) {
      return;
    }
    double factor = number(FACTOR, 2);
    if (factor <= 1) {
      warn(
          FACTOR + " is " + factor + ": a node as busy as its tier's average is left out",
          "set it above 1; Hadoop's default is 2");
    }
    floor();
  }

  private void floor() throws IOException {
    String told = keys.configured(FLOOR).orElse("16").strip();
    if (!WHOLE.matcher(told).matches()) {
      warn(
          FLOOR + " is " + told + ", not a whole number: its default holds",
          "leave it out; its default is 16");
      return;
    }
    double floor = number(FLOOR, 16);
    if (floor < 3) {
      warn(
          FLOOR + " is " + floor + ": one writer makes the nodes of a small tier look busy",
          "leave it out; its default is 16");
    }
  }

  private void room() throws IOException {
    double blocks = number(BLOCKS_MIN, 1);
    if (blocks > 1) {
      warn(
          BLOCKS_MIN + " is " + blocks + ": a volume with room for fewer blocks counts as full",
          "set it to 1, or keep tiers' volumes large against it");
    }
  }

  private void satisfier() throws IOException {
    String mode = keys.configured(SATISFIER).orElse("none");
    if (mode.equalsIgnoreCase("external")) {
      warn(
          SATISFIER + " is external: it moves replicas to where the storage policy wants them",
          "do not satisfy the storage policy of paths under a placement policy");
    }
  }

  /** Hadoop itself refuses a value that is no number at its start. */
  private double number(String key, double byDefault) throws IOException {
    try {
      return Double.parseDouble(keys.configured(key).orElse(String.valueOf(byDefault)).strip());
    } catch (NumberFormatException e) {
      return byDefault;
    }
  }

  private void warn(String finding, String advice) {
    findings.add(Finding.warning(where, finding, advice));
  }
}
