package io.tierwise.hadoop.yarn;

import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor;

/**
 * The container executor of a NodeManager without Kerberos ({@code
 * yarn.nodemanager.container-executor.class}): Hadoop's own, and containers' intermediate data on
 * the tier that their application asks for.
 */
public final class TierwiseContainerExecutor extends DefaultContainerExecutor {
  private IntermediateData intermediate;

  @Override
  public void setConf(Configuration conf) {
    super.setConf(conf);
    if (conf != null && intermediate == null) {
      intermediate = IntermediateData.start(conf);
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // Hadoop's own signature.
  public void writeLaunchEnv(
      OutputStream out,
      Map<String, String> environment,
      Map<Path, List<String>> resources,
      List<String> command,
      Path logDir,
      String user,
      String outFilename,
      LinkedHashSet<String> nmVars)
      throws IOException {
    if (intermediate != null) {
      intermediate.narrow(environment);
    }
    super.writeLaunchEnv(out, environment, resources, command, logDir, user, outFilename, nmVars);
  }
}
