/**
 * The risk that data is lost, and the power that it takes to keep it: of a policy on nodes that are
 * told of ({@link io.tierwise.hadoop.inspect.risk.PolicyRisk}), or of files as they are stored now
 * ({@link io.tierwise.hadoop.inspect.risk.StoredRisk}). Changes nothing.
 *
 * <p>Not here: the formulas, which are {@link io.tierwise.policies.cost.DataLoss}'s.
 */
package io.tierwise.hadoop.inspect.risk;
