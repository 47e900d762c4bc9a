package io.tierwise.hadoop.mover.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A line: {@code {"v":1,"n":5,"time":"...","kind":"move",...,"crc32c":"0a1b2c3d"}}. The checksum is
 * of all bytes before its own key's comma.
 *
 * @param number from 0, without a gap
 */
public record JournalLine(long number, Instant time, JournalEntry entry) {
  static final int VERSION = 4;

  /** How each line begins, of any version. */
  static final String BEGINNING = "{\"v\":";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
  private static final Pattern START = Pattern.compile("\\{\"v\":(\\d{1,9}),.*");
  private static final Pattern CHECKED =
      Pattern.compile("(.*),\"crc32c\":\"([0-9a-f]{8})\"\\}", Pattern.DOTALL);

  /** A line that is not what was written. */
  static final class Damaged extends Exception {
    private static final long serialVersionUID = 1L;

    Damaged(String message) {
      super(message);
    }
  }

  /** A line of a version that this one does not know. */
  static final class Newer extends Exception {
    private static final long serialVersionUID = 1L;

    Newer(String version) {
      super(version);
    }
  }

  /** Whether it is a move or a change, and not the beginning, the end or a result. */
  boolean isStep() {
    return !(entry instanceof JournalEntry.Begin
        || entry instanceof JournalEntry.Result
        || entry instanceof JournalEntry.End);
  }

  /** The version that first had lines of this kind. */
  private static int version(JournalEntry entry) {
    if (entry instanceof JournalEntry.Access) {
      return 4;
    }
    if (entry instanceof JournalEntry.StoragePolicy) {
      return 3;
    }
    return entry instanceof JournalEntry.Store ? 2 : 1;
  }

  /** The line as text, without its end. */
  String format() {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("v", version(entry)).put("n", number).put("time", time.toString());
    line.setAll((ObjectNode) MAPPER.valueToTree(entry));
    try {
      String text = MAPPER.writeValueAsString(line);
      String body = text.substring(0, text.length() - 1);
      return body + ",\"crc32c\":\"" + checksum(body) + "\"}";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot be written as JSON: " + entry.getClass(), e);
    }
  }

  static JournalLine parse(String text) throws Damaged, Newer {
    Matcher start = START.matcher(text);
    if (start.matches() && Integer.parseInt(start.group(1)) > VERSION) {
      throw new Newer(start.group(1));
    }
    Matcher checked = CHECKED.matcher(text);
    if (!checked.matches() || !checksum(checked.group(1)).equals(checked.group(2))) {
      throw new Damaged("its checksum is not that of its text");
    }
    try {
      JsonNode line = MAPPER.readTree(text);
      return new JournalLine(
          line.path("n").asLong(),
          Instant.parse(line.path("time").asText()),
          MAPPER.treeToValue(line, JournalEntry.class));
    } catch (JsonProcessingException | DateTimeException e) {
      throw new Damaged(e.getMessage());
    }
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
