package io.tierwise.policies.popularity;

import io.tierwise.policies.text.PolicyProvider;

/**
 * Makes a popularity predictor from its text, and from the trees of the host where it wants some.
 * Found on the class path by {@code
 * META-INF/services/io.tierwise.policies.popularity.PopularityProvider}.
 */
public interface PopularityProvider extends PolicyProvider<PopularityPredictor, TreeSource> {}
