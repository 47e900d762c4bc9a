/**
 * What a block's replicas are, compared with what its file's policy wants them to be.
 *
 * <p>Not here: how a policy is found for a path, and what is printed. Start reading at {@link
 * io.tierwise.hadoop.inspect.compliance.FileJudge}.
 */
package io.tierwise.hadoop.inspect.compliance;
