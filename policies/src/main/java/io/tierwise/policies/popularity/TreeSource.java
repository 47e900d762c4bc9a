package io.tierwise.policies.popularity;

import java.util.Optional;

/** Where the trees of a predictor come from: a host finds them, since a policy opens no file. */
@FunctionalInterface
public interface TreeSource {
  /** A host that has none. */
  TreeSource NONE =
      model -> {
        throw new IllegalArgumentException("no trees are fitted or read here; choose another one");
      };

  /**
   * The trees.
   *
   * @param model what the predictor's text names; empty for those that the host fits itself
   * @throws IllegalArgumentException one line that says why there are none
   */
  DecisionTrees trees(Optional<String> model);
}
