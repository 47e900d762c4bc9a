package io.tierwise.hadoop.inspect.health;

import io.tierwise.core.message.Fold;
import io.tierwise.core.message.Words;
import io.tierwise.hadoop.inspect.health.Finding.Grade;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The findings so far. A check that cannot be made becomes a finding and ends no other. */
public final class Findings {
  private static final int NAMES_MAX = 10;

  /** How wide the grades stand before the findings. */
  private static final int INDENT = 12;

  private final List<Finding> all = new ArrayList<>();

  /** A check that asks the cluster. */
  @FunctionalInterface
  public interface Check {
    void run() throws IOException;
  }

  public void add(Finding finding) {
    all.add(finding);
  }

  /**
   * Makes a check.
   *
   * @param what what stays unknown when it cannot be made
   */
  public void check(String where, String what, String advice, Check check) {
    try {
      check.run();
    } catch (IOException | RuntimeException e) {
      add(Finding.notChecked(where, what, Reason.of(e), advice));
    }
  }

  public List<Finding> all() {
    return List.copyOf(all);
  }

  public boolean fail() {
    return all.stream().anyMatch(finding -> finding.grade().fails());
  }

  /** The worst grade in one word of JSON: {@code ok}, {@code warning} or {@code failure}. */
  public String state() {
    if (fail()) {
      return "failure";
    }
    return count(Grade.WARNING) > 0 ? "warning" : "ok";
  }

  public String summary() {
    return count(Grade.OK)
        + " ok, "
        + Words.count(count(Grade.WARNING), "warning")
        + ", "
        + Words.count(count(Grade.FAILURE), "failure")
        + ", "
        + count(Grade.NOT_CHECKED)
        + " not checked";
  }

  /**
   * All of them for a terminal, and their summary. Not a table: findings and advice are sentences,
   * and would not fit a terminal side by side.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Finding each : all) {
      String text = Fold.text(" ".repeat(INDENT) + each.where() + ": " + each.finding(), INDENT);
      String grade = each.grade().text();
      lines.add(grade + text.substring(grade.length()));
      if (each.advice() != null) {
        lines.add(Fold.text(" ".repeat(INDENT) + "-> " + each.advice(), INDENT + 3));
      }
    }
    lines.add(summary());
    return lines;
  }

  private long count(Grade grade) {
    return all.stream().filter(finding -> finding.grade() == grade).count();
  }

  /** The first names of many. */
  static String names(List<String> names) {
    List<String> first = names.stream().sorted().limit(NAMES_MAX).toList();
    int more = names.size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }
}
