package io.tierwise.history;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The input paths of a MapReduce job. Its history file has none; its configuration does, which the
 * history server keeps beside it as {@code job_..._conf.xml}.
 */
public final class JobInputs {
  private static final Pattern NAME = Pattern.compile("(?s)(?:.*/)?(job_\\d+_\\d+)_conf\\.xml.*");

  /** The new API's key, and the old one's. */
  private static final Set<String> KEYS =
      Set.of("mapreduce.input.fileinputformat.inputdir", "mapred.input.dir");

  /** Own: a configuration of Hadoop has 100 KB. */
  private static final long BYTES_MAX = 64L << 20;

  private JobInputs() {}

  /** The job whose configuration a file is, by its name; empty for any other file. */
  public static Optional<String> jobOf(HistoryFile file) {
    Matcher name = NAME.matcher(file.name());
    return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
  }

  /**
   * Reads a job's configuration.
   *
   * @return its input paths, patterns among them; none for a job that reads no files
   * @throws TraceException when it is no XML, or cut off; the message is one line
   */
  public static List<String> read(HistoryFile file) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try (InputStream in = new Limited(TraceFile.open(file))) {
      return read(factory.createXMLStreamReader(new BufferedInputStream(in)));
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      throw new BadRowException(
          file.name() + ":" + line + ": is no XML, or cut off: a job's configuration should be", e);
    } catch (TraceException e) {
      throw e;
    } catch (IOException e) {
      throw new TraceException(file.name() + ": " + TraceFile.reason(e), e);
    }
  }

  private static List<String> read(XMLStreamReader xml) throws XMLStreamException {
    InputPaths paths = new InputPaths();
    String key = "";
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamReader.START_ELEMENT) {
        continue;
      }
      if (xml.getLocalName().equals("name")) {
        key = xml.getElementText().strip();
      } else if (xml.getLocalName().equals("value") && KEYS.contains(key)) {
        paths.addList(xml.getElementText());
      }
    }
    return paths.list();
  }

  /** A file that ends where no configuration is as long: the XML is then cut off. */
  private static final class Limited extends FilterInputStream {
    private long left = BYTES_MAX;

    Limited(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      return left-- > 0 ? super.read() : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (left <= 0) {
        return -1;
      }
      int got = super.read(target, offset, (int) Math.min(length, left));
      left -= Math.max(0, got);
      return got;
    }
  }
}
