/**
 * The policy of a path: where it stands, since when, how much of a tree is under which, and what
 * stock HDFS keeps it from reaching.
 *
 * <p>Not here: what a policy decides. Start reading at {@link
 * io.tierwise.hadoop.inspect.policy.PathPolicy}.
 */
package io.tierwise.hadoop.inspect.policy;
