package io.tierwise.hadoop.conformance;

/**
 * A test class of the suite.
 *
 * @param area what of HDFS it covers
 * @param name full class name
 * @param typicalSeconds how long stock takes on two busy cores: the longest start first, and the
 *     progress line guesses from it
 * @param why what it would catch
 */
public record TestClass(String area, String name, double typicalSeconds, String why) {

  /** The name without its package. */
  public String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
