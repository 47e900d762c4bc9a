package io.tierwise.hadoop.mover;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One HDFS with the plug-in and five nodes of both tiers, for all suites that ask for it: it starts
 * with the first and ends after the last. All files below {@code /t} are deleted after each test.
 */
final class MixedCluster implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace OWN =
      ExtensionContext.Namespace.create(MixedCluster.class);

  private static LiveCluster of(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(OWN)
        .getOrComputeIfAbsent(LiveCluster.class, key -> start(), LiveCluster.class);
  }

  private static LiveCluster start() {
    try {
      Configuration conf = LiveCluster.withPlugin();
      conf.set(
          CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
          "jceks://file" + conf.get("hadoop.tmp.dir") + "/keys.jceks");
      return LiveCluster.ofMixedNodes(
          conf, "/east/r1", "/east/r1", "/west/r2", "/west/r2", "/west/r3");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LiveCluster.class;
  }

  @Override
  public LiveCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return of(context);
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    of(context).fs().delete(new Path("/t"), true);
  }
}
