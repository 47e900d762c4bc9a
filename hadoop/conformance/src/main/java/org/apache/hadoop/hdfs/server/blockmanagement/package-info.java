/**
 * Hadoop's own tests of a placement policy, pointed at the policy that the configuration names.
 *
 * <p>As published they name the policies they test themselves, so that a plug-in never meets them.
 * The classes here inherit all their tests and hide only the list of policies. They hold no test of
 * their own, and stand in Hadoop's package because the base class keeps its set-up to the package.
 *
 * <p>Start reading at {@link
 * org.apache.hadoop.hdfs.server.blockmanagement.ConfiguredReplicationPolicyTest}.
 */
package org.apache.hadoop.hdfs.server.blockmanagement;
