package io.tierwise.hadoop.inspect.cluster;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Looks at Hadoop's XML files before Hadoop does: its own complaint about a malformed one is a
 * stack trace.
 */
final class SiteFiles {
  private static final String[] NAMES = {
    "core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml"
  };

  private SiteFiles() {}

  /** Those that a configuration made by this thread would have. */
  static void requireReadable() {
    for (String name : NAMES) {
      URL file = Thread.currentThread().getContextClassLoader().getResource(name);
      if (file != null) {
        requireReadable(file);
      }
    }
  }

  private static void requireReadable(URL file) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    String place = "file".equals(file.getProtocol()) ? file.getPath() : file.toString();
    try (InputStream in = file.openStream()) {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      while (reader.hasNext()) {
        reader.next();
      }
    } catch (XMLStreamException e) {
      throw OperatorException.badInput(
          place
              + (e.getLocation() == null
                  ? ""
                  : ": line "
                      + e.getLocation().getLineNumber()
                      + ", column "
                      + e.getLocation().getColumnNumber())
              + ": is not XML: "
              + firstLine(e.getMessage()));
    } catch (IOException e) {
      throw OperatorException.badInput(place + ": cannot be read: " + e.getMessage());
    }
  }

  /** The parser's message repeats the place in a second line. */
  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message);
  }
}
