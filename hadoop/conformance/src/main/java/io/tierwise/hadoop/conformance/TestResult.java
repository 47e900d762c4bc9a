package io.tierwise.hadoop.conformance;

/**
 * One line of an outcome file: what became of a test.
 *
 * @param test name within its class, the same on both sides
 * @param detail stack trace of a failure or reason of a skip, else empty
 */
public record TestResult(String test, Outcome outcome, String detail) {

  private static final String STARTED = "STARTED";

  /** The line that is written when a test begins, so that a killed JVM tells what it was at. */
  public static String startedLine(String test) {
    return STARTED + '\t' + escape(test) + '\t';
  }

  /** This result as one line without its line end. */
  public String toLine() {
    return outcome + "\t" + escape(test) + '\t' + escape(detail);
  }

  /** Reads a line; a test that only started counts as failed until a later line says more. */
  public static TestResult parse(String line) {
    String[] fields = line.split("\t", 3);
    if (fields.length != 3) {
      throw new IllegalArgumentException("not an outcome line: " + line);
    }
    String test = unescape(fields[1]);
    if (fields[0].equals(STARTED)) {
      return new TestResult(test, Outcome.FAILED, "the JVM ended while this test ran");
    }
    return new TestResult(test, Outcome.valueOf(fields[0]), unescape(fields[2]));
  }

  /** The first line of the detail. */
  public String headline() {
    int end = detail.indexOf('\n');
    return end < 0 ? detail : detail.substring(0, end);
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "").replace("\t", "\\t");
  }

  private static String unescape(String text) {
    return text.translateEscapes();
  }
}
