package io.tierwise.hadoop.mover.shuffle;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Settings with which YARN's own client asks a ResourceManager and gives up within seconds: so that
 * one that fails over, and Kerberos, work as they do for jobs.
 */
public final class ResourceManagerConf {
  /** Own: nobody waits for the answer, and a later question is as good. */
  private static final int CALL_MILLIS_MAX = (int) TimeUnit.SECONDS.toMillis(10);

  private static final int RETRY_MILLIS = (int) TimeUnit.SECONDS.toMillis(1);

  /** One turn to the other ResourceManager, and one back. */
  private static final int TURNS = 2;

  /** The host in Hadoop's default addresses: nobody said where the ResourceManager is. */
  private static final String NOWHERE = "0.0.0.0";

  private ResourceManagerConf() {}

  /** Empty where the configuration does not say where a ResourceManager is. */
  public static Optional<YarnConfiguration> of(Configuration given) {
    YarnConfiguration conf = new YarnConfiguration(given);
    if (!isGiven(conf)) {
      return Optional.empty();
    }
    // Hadoop divides the two for a number of attempts, each of which may take its own time.
    conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, RETRY_MILLIS);
    conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    conf.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, TURNS);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CALL_MILLIS_MAX);
    conf.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, CALL_MILLIS_MAX);
    // The client would connect to these servers, too.
    conf.setBoolean(YarnConfiguration.TIMELINE_SERVICE_ENABLED, false);
    conf.setBoolean(YarnConfiguration.APPLICATION_HISTORY_ENABLED, false);
    return Optional.of(conf);
  }

  private static boolean isGiven(YarnConfiguration conf) {
    String address =
        conf.getTrimmed(YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS);
    return conf.getBoolean(YarnConfiguration.RM_HA_ENABLED, false)
        || !address.startsWith(NOWHERE + ":");
  }
}
