package io.tierwise.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Answers {@code --version} with the versions that the build wrote into the jar. */
final class TierwiseVersion implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties versions = new Properties();
    try (InputStream in = TierwiseVersion.class.getResourceAsStream("version.properties")) {
      versions.load(in);
    }
    return new String[] {
      "tierwise " + versions.getProperty("version"),
      "built for Hadoop " + versions.getProperty("hadoop"),
      "Java ${java.version} (${java.vendor})"
    };
  }
}
