/**
 * {@code tierwise policy}: which policies there are, and which one a path is under.
 *
 * <p>A path's policy is an extended attribute, so setting one is HDFS's own permission question.
 * Not here: how a policy is found and judged, which is {@code hadoop/inspect}'s. Start reading at
 * {@link io.tierwise.cli.policy.PolicyCommand}.
 */
package io.tierwise.cli.policy;
