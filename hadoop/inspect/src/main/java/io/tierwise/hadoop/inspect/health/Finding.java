package io.tierwise.hadoop.inspect.health;

/**
 * One answer of the doctor.
 *
 * @param grade how bad it is
 * @param where the part that was looked at: client, namenode, datanode, tiers, paths
 * @param finding what was found
 * @param advice what to change; null when nothing is to be changed
 */
public record Finding(Grade grade, String where, String finding, String advice) {
  /** How bad a finding is. */
  public enum Grade {
    OK("ok"),
    /** Works, but not as well as it could. */
    WARNING("warning"),
    /** Something that was asked for does not work. */
    FAILURE("FAILURE"),
    /** Could not be looked at; nothing is known. */
    NOT_CHECKED("not checked");

    private final String text;

    Grade(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    /** Whether the doctor ends with an error after it. */
    boolean fails() {
      return this == FAILURE || this == NOT_CHECKED;
    }
  }

  static Finding ok(String where, String finding) {
    return new Finding(Grade.OK, where, finding, null);
  }

  static Finding warning(String where, String finding, String advice) {
    return new Finding(Grade.WARNING, where, finding, advice);
  }

  static Finding failure(String where, String finding, String advice) {
    return new Finding(Grade.FAILURE, where, finding, advice);
  }

  public static Finding notChecked(String where, String what, String reason, String advice) {
    return new Finding(Grade.NOT_CHECKED, where, what + ": " + reason, advice);
  }
}
