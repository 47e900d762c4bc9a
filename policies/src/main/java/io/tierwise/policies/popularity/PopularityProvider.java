package io.tierwise.policies.popularity;

import io.tierwise.policies.text.PolicyProvider;

/**
 * Makes a popularity predictor from its text. Found on the class path by {@code
 * META-INF/services/io.tierwise.policies.popularity.PopularityProvider}.
 */
public interface PopularityProvider
    extends PolicyProvider<PopularityPredictor, PolicyProvider.Nothing> {}
