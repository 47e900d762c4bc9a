package io.tierwise.hadoop.secondary;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * The name of a file that an attempt makes beside the one that it moves, and takes away again. Jobs
 * do not see names that begin with a dot.
 *
 * @param fileId of the file that is moved
 */
record WorkName(long fileId, Attempt attempt, Kind kind) {
  /** The kind of file that is made. */
  enum Kind {
    PLACEHOLDER("placeholder"),
    /** Of earlier versions, which made it beside the file. */
    BODY("body"),
    RECALL("recall"),
    /** A directory: see {@link ClosedFolder}. */
    FOLDER("folder");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  /** Why a file or directory with such a name stays. */
  static final String LEFT_BY_A_RUN =
      "a run made it and did not finish, or goes on: 'tierwise secondary clean' takes it away";

  private static final Pattern PATTERN =
      Pattern.compile(
          "\\.tierwise-(\\d{1,18})-(" + Attempt.PATTERN + ")\\.(placeholder|body|recall|folder)");

  /** Of the files in a folder: nobody else is to guess one. */
  private static final Pattern DRAWN = Pattern.compile("[0-9a-f]{32}(\\.body)?");

  private static final Pattern IN_SENTENCES =
      Pattern.compile(PATTERN.pattern() + "(?:/" + DRAWN.pattern() + ")?");

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Of a file's name; empty when no attempt made it. */
  static Optional<WorkName> parse(String name) {
    Matcher matcher = PATTERN.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Attempt.parse(matcher.group(2))
        .map(
            attempt ->
                new WorkName(Long.parseLong(matcher.group(1)), attempt, kind(matcher.group(3))));
  }

  /** Of a file that stands beside another one, or in a folder there; empty when it is a user's. */
  static Optional<WorkName> of(Path path) {
    Path folder = path.getParent();
    return folder != null && DRAWN.matcher(path.getName()).matches()
        ? parse(folder.getName()).filter(name -> name.kind() == Kind.FOLDER)
        : parse(path.getName());
  }

  /** Whether a run made this directory. */
  static boolean isFolder(String path) {
    return parse(new Path(path).getName()).filter(name -> name.kind() == Kind.FOLDER).isPresent();
  }

  /** A sentence of HDFS about a file that a run made, without what is only that file's. */
  static String general(String sentence) {
    return IN_SENTENCES.matcher(sentence).replaceAll(".tierwise-....$3");
  }

  /** A name for a file in a folder. */
  static String draw() {
    byte[] drawn = new byte[16];
    RANDOM.nextBytes(drawn);
    return HexFormat.of().formatHex(drawn);
  }

  /** The name of another file beside one whose name was drawn. */
  static String bodyOf(String drawn) {
    return drawn + ".body";
  }

  private static Kind kind(String text) {
    for (Kind kind : Kind.values()) {
      if (kind.text.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(text);
  }

  @Override
  public String toString() {
    return ".tierwise-" + fileId + "-" + attempt + "." + kind.text;
  }
}
