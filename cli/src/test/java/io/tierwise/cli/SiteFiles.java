package io.tierwise.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The directory of settings that a user of a cluster has. */
public final class SiteFiles {
  private SiteFiles() {}

  /** Each part of Hadoop has defaults of its own, which stand above the files of the others. */
  public static void write(Path folder, Configuration all) throws IOException {
    Files.createDirectories(folder);
    for (String part : List.of("core", "hdfs", "yarn", "mapred")) {
      try (OutputStream out = Files.newOutputStream(folder.resolve(part + "-site.xml"))) {
        all.writeXml(out);
      }
    }
  }
}
