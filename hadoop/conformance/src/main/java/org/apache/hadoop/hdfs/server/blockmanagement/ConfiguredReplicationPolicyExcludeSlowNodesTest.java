package org.apache.hadoop.hdfs.server.blockmanagement;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.runners.Parameterized.Parameters;

/** All of {@link TestReplicationPolicyExcludeSlowNodes}, on the configured policy. */
@MethodSource("data")
@ParameterizedClass
public class ConfiguredReplicationPolicyExcludeSlowNodesTest
    extends TestReplicationPolicyExcludeSlowNodes {

  /** Called by JUnit. */
  public ConfiguredReplicationPolicyExcludeSlowNodesTest(String policyClassName) {
    super(policyClassName);
  }

  /** Hides the published list of policies: from Jupiter, and from JUnit 4 on Hadoop 3.4. */
  @Parameters
  public static Iterable<Object[]> data() {
    return ConfiguredPolicy.asParameters();
  }
}
