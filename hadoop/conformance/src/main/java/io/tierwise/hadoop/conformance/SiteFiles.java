package io.tierwise.hadoop.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Writes one side's configuration folder, which stands first on the class path. */
final class SiteFiles {

  private static final String CORE = "core-site.xml";
  private static final String HDFS = "hdfs-site.xml";
  private static final String PLUGINS = "tierwise-site.xml";
  private static final String OPT_IN_PLUGINS = "tierwise-opt-in-site.xml";
  private static final String DECIDING = "deciding";
  private static final String TIERS = "tiers.yaml";
  private static final String LOGGING = "log4j.properties";
  private static final List<String> AS_THEY_ARE =
      List.of(LOGGING, "krb5.conf", "topology-script.sh", "topology-broken-script.sh");

  private SiteFiles() {}

  /**
   * Writes {@code side}'s files into {@code target} from the templates.
   *
   * @param optIn whether the opt-in plug-ins are configured where they are not anyway
   */
  static void write(Path templates, Side side, boolean optIn, Path target) throws IOException {
    Files.createDirectories(target);
    Map<String, String> core = read(templates.resolve(CORE));
    Map<String, String> hdfs = read(templates.resolve(HDFS));
    if (side.hasPlugins()) {
      plugins(templates, side, optIn)
          .forEach((key, value) -> (key.startsWith("dfs.") ? hdfs : core).put(key, value));
    }
    Files.writeString(target.resolve(CORE), toXml(core));
    Files.writeString(target.resolve(HDFS), toXml(hdfs));
    for (String file : AS_THEY_ARE) {
      Files.copy(
          templates.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    if (side == Side.DECIDING) {
      Path deciding = templates.resolve(DECIDING);
      Files.copy(
          deciding.resolve(TIERS), target.resolve(TIERS), StandardCopyOption.REPLACE_EXISTING);
      Files.writeString(
          target.resolve(LOGGING),
          Files.readString(templates.resolve(LOGGING))
              + Files.readString(deciding.resolve(LOGGING)));
    }
  }

  /** The classes that the templates for a side of ours name: all values that look like one. */
  static List<String> pluginClasses(Path templates, Side side, boolean optIn) throws IOException {
    return plugins(templates, side, optIn).values().stream()
        .filter(value -> value.matches("(\\w+\\.){2,}[A-Z][\\w$]*"))
        .toList();
  }

  private static Map<String, String> plugins(Path templates, Side side, boolean optIn)
      throws IOException {
    Map<String, String> plugins = read(templates.resolve(PLUGINS));
    if (optIn || side == Side.DECIDING) {
      plugins.putAll(read(templates.resolve(OPT_IN_PLUGINS)));
    }
    if (side == Side.DECIDING) {
      plugins.putAll(read(templates.resolve(DECIDING).resolve("site.xml")));
    }
    return plugins;
  }

  private static Map<String, String> read(Path file) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    try {
      NodeList nodes =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("property");
      for (int index = 0; index < nodes.getLength(); index++) {
        Element property = (Element) nodes.item(index);
        properties.put(text(property, "name"), text(property, "value"));
      }
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + " is no Hadoop site file: " + e.getMessage(), e);
    }
    return properties;
  }

  private static String text(Element property, String tag) throws IOException {
    NodeList nodes = property.getElementsByTagName(tag);
    if (nodes.getLength() != 1) {
      throw new IOException("a property has " + nodes.getLength() + " <" + tag + ">: use one");
    }
    return nodes.item(0).getTextContent().strip();
  }

  private static String toXml(Map<String, String> properties) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("  <property><name>")
                .append(escape(name))
                .append("</name><value>")
                .append(escape(value))
                .append("</value></property>\n"));
    return xml.append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
