package io.tierwise.policies.text;

import java.util.List;

/**
 * The policies of one kind, for lists.
 *
 * @param name one word, for programs
 * @param title for people, with where such a text stands
 * @param policies in the family's order
 * @param problems as {@link PolicyRegistry#problems}
 */
public record PolicyFamily(
    String name, String title, List<PolicyForm> policies, List<String> problems) {
  /** Defensive copies of the lists. */
  public PolicyFamily {
    policies = List.copyOf(policies);
    problems = List.copyOf(problems);
  }
}
