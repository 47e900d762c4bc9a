package org.apache.hadoop.hdfs.server.blockmanagement;

/**
 * All of {@link TestReplicationPolicyRatioConsiderLoadWithStorage}, on the configured policy. That
 * class sets the policy in its constructor; ours comes after.
 */
public class ConfiguredReplicationPolicyVolumeLoadTest
    extends TestReplicationPolicyRatioConsiderLoadWithStorage {

  /** Called by JUnit. */
  public ConfiguredReplicationPolicyVolumeLoadTest() {
    blockPlacementPolicy = ConfiguredPolicy.className();
  }
}
