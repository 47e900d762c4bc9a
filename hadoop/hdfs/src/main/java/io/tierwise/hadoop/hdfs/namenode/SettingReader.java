package io.tierwise.hadoop.hdfs.namenode;

import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads our keys. For a value that cannot be, the default holds, since a NameNode starts whatever
 * our keys say.
 *
 * @param problems is told a line that names the key and its value
 */
record SettingReader(Configuration conf, Consumer<String> problems) {
  boolean truth(String key, boolean otherwise) {
    String text = conf.getTrimmed(key, "");
    if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(text);
    }
    if (!text.isEmpty()) {
      problems.accept(key + " is " + text + ", not true or false: " + otherwise + " holds");
    }
    return otherwise;
  }

  int number(String key, int otherwise, int min, int max) {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int value = Integer.parseInt(text);
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of bounds.
    }
    problems.accept(
        key
            + " is "
            + text
            + ", not a whole number from "
            + min
            + " to "
            + max
            + ": "
            + otherwise
            + " holds");
    return otherwise;
  }
}
