/**
 * The promises of every popularity predictor, and what the papers' equations give for small cases.
 */
package io.tierwise.policies.popularity;
