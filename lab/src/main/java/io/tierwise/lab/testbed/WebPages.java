package io.tierwise.lab.testbed;

import io.tierwise.core.message.OperatorException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The web pages of the daemons, without which no NameNode starts. Hadoop's distribution has them as
 * a folder beside the jars; among the published jars only the tests' has them. They are unpacked
 * once, so that no daemon has the test jar on its class path.
 */
final class WebPages {
  private static final String PAGES = "webapps/";

  private WebPages() {}

  static void unpack(Path folder) {
    Path jar =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(
                path -> path.getFileName().toString().matches("hadoop-hdfs-[0-9.]*-tests\\.jar"))
            .findFirst()
            .orElseThrow(
                () ->
                    OperatorException.cluster(
                        "hadoop-hdfs-VERSION-tests.jar is not on the class path: run"
                            + " 'make build' and start bin/tierwise",
                        null));
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> pages =
          zip.stream().filter(entry -> entry.getName().startsWith(PAGES)).toList();
      for (ZipEntry page : pages) {
        Path target = folder.resolve(page.getName()).normalize();
        if (page.isDirectory() || !target.startsWith(folder)) {
          continue;
        }
        Files.createDirectories(target.getParent());
        if (!Files.exists(target)) {
          try (InputStream in = zip.getInputStream(page)) {
            Files.copy(in, target);
          }
        }
      }
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot unpack the web pages of " + jar + ": " + e.getMessage(), e);
    }
  }
}
