package io.tierwise.policies.rules;

import java.util.List;

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

  /**
   * Whether it is for this file, whose path matches. One condition that fails is enough for a no,
   * whatever the others may be; without one, a condition that is not known leaves the rule unknown.
   */
  public RuleAnswer ask(FileFacts facts) {
    RuleAnswer answer = RuleAnswer.HOLDS;
    for (RuleCondition condition : conditions) {
      RuleAnswer each = condition.ask(facts);
      if (!each.mayHold()) {
        return each;
      }
      answer = answer.holds() ? each : answer;
    }
    return answer;
  }
}
