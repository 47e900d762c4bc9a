package io.tierwise.policies.access;

import io.tierwise.policies.text.PolicyProvider;
import io.tierwise.policies.text.PolicyProvider.Nothing;

/**
 * Makes an access strategy from its text. Found on the class path by {@code
 * META-INF/services/io.tierwise.policies.access.AccessProvider}.
 */
public interface AccessProvider extends PolicyProvider<AccessStrategy, Nothing> {}
