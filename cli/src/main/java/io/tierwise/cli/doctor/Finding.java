package io.tierwise.cli.doctor;

/**
 * One answer of the doctor.
 *
 * @param grade how bad it is
 * @param where the part that was looked at: client, namenode, datanode, tiers
 * @param finding what was found
 * @param advice what to change; empty when nothing is to be changed
 */
public record Finding(Grade grade, String where, String finding, String advice) {
  /** How bad a finding is. */
  public enum Grade {
    OK("ok"),
    /** Works, but not as well as it could, or could not be looked at. */
    WARNING("warning"),
    /** Something that was asked for does not work. */
    FAILURE("FAILURE");

    private final String text;

    Grade(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  static Finding ok(String where, String finding) {
    return new Finding(Grade.OK, where, finding, "");
  }

  static Finding warning(String where, String finding, String advice) {
    return new Finding(Grade.WARNING, where, finding, advice);
  }

  static Finding failure(String where, String finding, String advice) {
    return new Finding(Grade.FAILURE, where, finding, advice);
  }
}
