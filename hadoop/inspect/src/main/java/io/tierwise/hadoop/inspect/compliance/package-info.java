/**
 * Compares a block's replicas with the wishes of its file's policy.
 *
 * <p>Not here: how a policy is found for a path, and what is printed. Start reading at {@link
 * io.tierwise.hadoop.inspect.compliance.FileJudge}.
 */
package io.tierwise.hadoop.inspect.compliance;
