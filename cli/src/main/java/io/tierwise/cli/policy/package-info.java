/**
 * {@code tierwise policy}: which policies there are, and which one a path is under.
 *
 * <p>A path's policy is an extended attribute, so setting one is HDFS's own permission question.
 * Start reading at {@link io.tierwise.cli.policy.PolicyCommand}.
 */
package io.tierwise.cli.policy;
