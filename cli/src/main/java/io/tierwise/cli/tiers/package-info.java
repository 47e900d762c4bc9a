/**
 * {@code tierwise tiers}: which tiers a cluster has, and measuring what their volumes can do.
 *
 * <p>Start reading at {@link io.tierwise.cli.tiers.TiersCommand}.
 */
package io.tierwise.cli.tiers;
