package io.tierwise.policies.rules;

import java.util.List;
import java.util.Optional;

/**
 * A rule.
 *
 * @param line where it stands, from 1
 * @param text as it stands there, without its remark
 * @param pattern of the paths that it is about
 * @param conditions that have all to hold
 * @param action for the files for which they do
 */
public record FileRule(
    int line, String text, String pattern, List<RuleCondition> conditions, RuleAction action) {
  public FileRule {
    conditions = List.copyOf(conditions);
  }

  /** Why it is not for this file, whose path matches; empty when it is. */
  public Optional<String> whyNot(FileFacts facts) {
    return conditions.stream()
        .map(each -> each.whyNot(facts))
        .flatMap(Optional::stream)
        .findFirst();
  }
}
