package org.apache.hadoop.hdfs.server.blockmanagement;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** All of {@link TestReplicationPolicy}, on the configured policy. */
@MethodSource("data")
@ParameterizedClass
public class ConfiguredReplicationPolicyTest extends TestReplicationPolicy {

  /** Called by JUnit. */
  public ConfiguredReplicationPolicyTest(String policyClassName) {
    super(policyClassName);
  }

  /** Hides the published list of policies. */
  public static Iterable<Object[]> data() {
    return ConfiguredPolicy.asParameters();
  }
}
