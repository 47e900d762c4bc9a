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
  private static final List<String> AS_THEY_ARE =
      List.of("log4j.properties", "krb5.conf", "topology-script.sh", "topology-broken-script.sh");

  private SiteFiles() {}

  /**
   * Writes {@code side}'s files into {@code target} from the templates.
   *
   * @param optIn whether our side gets the opt-in plug-ins, too
   */
  static void write(Path templates, Side side, boolean optIn, Path target) throws IOException {
    Files.createDirectories(target);
    Map<String, String> core = read(templates.resolve(CORE));
    Map<String, String> hdfs = read(templates.resolve(HDFS));
    if (side == Side.OURS) {
      plugins(templates, optIn)
          .forEach((key, value) -> (key.startsWith("dfs.") ? hdfs : core).put(key, value));
    }
    Files.writeString(target.resolve(CORE), toXml(core));
    Files.writeString(target.resolve(HDFS), toXml(hdfs));
    for (String file : AS_THEY_ARE) {
      Files.copy(
          templates.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The classes that the templates for our side name: all values that look like one. */
  static List<String> pluginClasses(Path templates, boolean optIn) throws IOException {
    return plugins(templates, optIn).values().stream()
        .filter(value -> value.matches("(\\w+\\.){2,}[A-Z][\\w$]*"))
        .toList();
  }

  private static Map<String, String> plugins(Path templates, boolean optIn) throws IOException {
    Map<String, String> plugins = read(templates.resolve(PLUGINS));
    if (optIn) {
      plugins.putAll(read(templates.resolve(OPT_IN_PLUGINS)));
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
