package io.tierwise.policies.rules;

/** The action that a rule wants for a file. */
public sealed interface RuleAction {
  /** As it is written. */
  String text();

  /** So many replicas. */
  record Replicas(int count) implements RuleAction {
    @Override
    public String text() {
      return "replicas " + count;
    }
  }

  /** A replica of each block in a tier, by the tier's name. */
  record InTier(String tier) implements RuleAction {
    @Override
    public String text() {
      return "tier " + tier;
    }
  }

  /** In the secondary store. */
  record Secondary() implements RuleAction {
    @Override
    public String text() {
      return "secondary";
    }
  }
}
