package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answers that a page shows behind its commands, in blocks of {@code text}. With {@code
 * -Dtierwise.docs.update=true} they are written anew.
 */
final class ShownAnswers {
  private static final Pattern SHOWN = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL);

  private ShownAnswers() {}

  /** Fails where the page's blocks are not these answers, in their order. */
  static void check(Path page, List<String> answers) throws IOException {
    String shows = Files.readString(page);
    StringBuilder updated = new StringBuilder();
    Matcher shown = SHOWN.matcher(shows);
    for (String answer : answers) {
      assertThat(shown.find()).as("a block of text for the answer:%n%s", answer).isTrue();
      String lines = answer.replace(System.lineSeparator(), "\n");
      shown.appendReplacement(updated, Matcher.quoteReplacement("```text\n" + lines + "```"));
    }
    assertThat(shown.find()).as("a block of text that no command answers").isFalse();
    shown.appendTail(updated);
    if (Boolean.getBoolean("tierwise.docs.update")) {
      Files.writeString(page, updated);
      shows = updated.toString();
    }
    assertThat(shows).as("run 'make docs' to write it anew").isEqualTo(updated.toString());
  }
}
