package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * A configuration directory in the place of the one on the class path. Hadoop finds its site files
 * by the class loader of the thread that makes a configuration, so this one holds for those that
 * Hadoop makes by itself as well: for logins, certificates and YARN. Classes are the parent's.
 */
final class SiteFolder extends ClassLoader {
  /** One of them makes a directory a configuration. */
  private static final List<String> NEEDED = List.of("core-site.xml", "hdfs-site.xml");

  private static final String TIERS = "tiers.yaml";

  static {
    registerAsParallelCapable();
  }

  private final Path folder;

  private SiteFolder(Path folder, ClassLoader parent) {
    super(parent);
    this.folder = folder.toAbsolutePath();
  }

  /**
   * Lets this thread, and those that it starts, find the files of a directory and no others.
   *
   * @param folder null for what is on the class path
   * @throws OperatorException when it is no directory with a configuration
   */
  static void use(Path folder) {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    ClassLoader ofClassPath = loader instanceof SiteFolder other ? other.getParent() : loader;
    if (folder != null) {
      requireConfiguration(folder);
    }
    thread.setContextClassLoader(
        folder == null ? ofClassPath : new SiteFolder(folder, ofClassPath));
  }

  private static void requireConfiguration(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw OperatorException.badInput(
          "--conf " + folder + " is no directory: name the folder with core-site.xml");
    }
    boolean has = NEEDED.stream().anyMatch(name -> Files.isRegularFile(folder.resolve(name)));
    if (!has && !Files.isRegularFile(folder.resolve(TIERS))) {
      throw OperatorException.badInput(
          "--conf " + folder + " has none of " + String.join(", ", NEEDED) + " and " + TIERS);
    }
  }

  @Override
  public URL getResource(String name) {
    Path file = folder.resolve(name);
    if (Files.isRegularFile(file)) {
      return url(file);
    }
    if (name.endsWith("-site.xml")) {
      return null;
    }
    return name.contains("/") ? super.getResource(name) : ofJars(name);
  }

  /** Hadoop's defaults are in its jars; what a directory of the class path has is another's. */
  private URL ofJars(String name) {
    try {
      return Collections.list(getParent().getResources(name)).stream()
          .filter(found -> !"file".equals(found.getProtocol()))
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw OperatorException.cluster("the class path cannot be read: " + e.getMessage(), e);
    }
  }

  private static URL url(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
