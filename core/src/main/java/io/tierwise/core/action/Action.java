package io.tierwise.core.action;

import io.tierwise.core.view.ClusterView;

/**
 * A policy's request to its host. Explanation, journal and report all show it by these four: which
 * policy asks, by which of its rules, for what, and at which cost.
 */
public sealed interface Action permits Assign, Copy, Drop, Move, Order, Place, SetReplicas, Stage {
  /** The deciding policy's name. */
  String policy();

  /** The sentence that says which of its rules decided. */
  String rule();

  /** The request in words, with the names of the view's volumes. */
  String what(ClusterView view);

  /** The number by which it won over others; NaN where none was compared. */
  default double score() {
    return Double.NaN;
  }

  /** The price of doing it. */
  default Cost cost() {
    return Cost.NONE;
  }

  /** The kind of action, one word. */
  default String kind() {
    String name = getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** One line for people. */
  default String describe(ClusterView view) {
    return policy() + ": " + what(view) + ": " + rule();
  }
}
