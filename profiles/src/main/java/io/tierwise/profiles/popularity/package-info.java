/**
 * Fits trees to windows of use, for the popularity predictor {@code trees}.
 *
 * <p>Not here: what trees are told of a file and how they answer, which the policy says. Start
 * reading at {@link io.tierwise.profiles.popularity.TreeLearner}.
 */
package io.tierwise.profiles.popularity;
