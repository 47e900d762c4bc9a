package io.tierwise.hadoop.autotier.profiling;

import io.tierwise.core.message.OperatorException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;

/**
 * A copy of the directory of a client's configuration, in which MapReduce jobs ask for a tier and
 * bear a tag. So the application need not know of either.
 */
final class ClientFolder implements Closeable {
  private static final String MAPRED_SITE = "mapred-site.xml";
  private static final String VARIABLE = "TIERWISE_INTERMEDIATE";
  private static final String TAGS = "mapreduce.job.tags";

  private final Path source;
  private final Path folder;

  private ClientFolder(Path source, Path folder) {
    this.source = source;
    this.folder = folder;
  }

  static ClientFolder copyOf(Path source) throws IOException {
    if (!Files.isDirectory(source)) {
      throw OperatorException.badInput("the configuration " + source + " is no directory");
    }
    ClientFolder copy = new ClientFolder(source, Files.createTempDirectory("tierwise-profile-"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(source)) {
      for (Path file : files) {
        if (Files.isRegularFile(file)) {
          Files.copy(file, copy.folder.resolve(file.getFileName().toString()));
        }
      }
    }
    return copy;
  }

  /** Has jobs ask for that tier, and bear that tag. */
  Path with(String tier, String tag) throws IOException {
    Configuration site = new Configuration(false);
    Path own = source.resolve(MAPRED_SITE);
    if (Files.isRegularFile(own)) {
      site.addResource(new org.apache.hadoop.fs.Path(own.toUri()));
    }
    // The last one is for jobs so small that their application master runs the tasks.
    for (String key :
        new String[] {
          "mapreduce.map.env.", "mapreduce.reduce.env.", "yarn.app.mapreduce.am.env."
        }) {
      site.set(key + VARIABLE, tier);
    }
    String tags = site.get(TAGS, "");
    site.set(TAGS, tags.isBlank() ? tag : tags + "," + tag);
    Path written = Files.createTempFile(folder, "mapred-site", ".new");
    try (OutputStream out = Files.newOutputStream(written)) {
      site.writeXml(out);
    }
    Files.move(written, folder.resolve(MAPRED_SITE), StandardCopyOption.REPLACE_EXISTING);
    return folder;
  }

  @Override
  public void close() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
