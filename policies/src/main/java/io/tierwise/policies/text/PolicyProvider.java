package io.tierwise.policies.text;

/**
 * Makes one policy from its text. Each family of policies has an interface of its own that extends
 * this one, by which {@link java.util.ServiceLoader} finds the providers of other jars: name the
 * provider's class in {@code META-INF/services/} and the interface's name.
 *
 * @param <P> the family's policies
 * @param <C> what a policy is made with, besides its settings
 */
public interface PolicyProvider<P, C> {
  /** First word of the specification. */
  String name();

  /** The specification's form, for people. */
  String usage();

  /** The policy in one line, for people. */
  String summary();

  /**
   * The policy with these settings.
   *
   * @throws IllegalArgumentException one line that names the bad value and what is allowed
   */
  P make(SpecReader settings, C context);

  /** For families whose policies are made with their settings alone. */
  enum Nothing {
    NOTHING
  }
}
