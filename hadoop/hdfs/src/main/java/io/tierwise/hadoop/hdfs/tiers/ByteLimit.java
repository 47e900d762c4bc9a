package io.tierwise.hadoop.hdfs.tiers;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The most bytes that the replicas of all files below a directory may have on a tier.
 *
 * @param path the directory, absolute and without wildcards
 * @param tier the tier's index
 * @param bytes of all replicas together
 */
public record ByteLimit(String path, int tier, long bytes) {
  /** Powers of 1000, as the figures of devices are. */
  private static final List<String> UNITS = List.of("B", "KB", "MB", "GB", "TB", "PB");

  private static final Pattern TEXT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) *([KMGTP]?B)");

  public ByteLimit {
    boolean isPlain = path.indexOf('*') < 0 && path.indexOf('?') < 0;
    if (!path.startsWith("/") || !isPlain || (path.length() > 1 && path.endsWith("/"))) {
      throw new IllegalArgumentException(
          "\"" + path + "\" must be one directory: begin with /, have no wildcard, not end with /");
    }
  }

  /** Reads {@code 10 TB}. */
  static long parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is no size: give a number and a unit, for example 10 TB; units: "
              + UNITS);
    }
    BigDecimal unit = BigDecimal.valueOf(1000).pow(UNITS.indexOf(matcher.group(2)));
    BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(unit);
    if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException("\"" + text + "\" is more than can be counted");
    }
    return bytes.longValue();
  }
}
