package io.tierwise.policies.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Providers of a jar of which some fail in every way that was thought of: each is left out alone,
 * and said. The registry is loaded anew by a loader that has the jar's classes.
 */
class OddProvidersTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String REGISTRY = "io.tierwise.policies.access.AccessStrategies";
  private static final int NEWER_JAVA = 99;

  private static final String SOURCE =
      """
      package odd;

      import io.tierwise.core.view.ReadView;
      import io.tierwise.policies.access.AccessProvider;
      import io.tierwise.policies.access.AccessReason;
      import io.tierwise.policies.access.AccessRequest;
      import io.tierwise.policies.access.AccessStrategies;
      import io.tierwise.policies.access.AccessStrategy;
      import io.tierwise.policies.text.PolicyProvider.Nothing;
      import io.tierwise.policies.text.SpecReader;
      import java.util.random.RandomGenerator;

      public class Fine implements AccessProvider {
        public String name() { return "fine"; }
        public String usage() { return name(); }
        public String summary() { return "as random"; }
        public AccessStrategy make(SpecReader settings, Nothing nothing) {
          return AccessStrategies.parse("random");
        }

        public static class OfNewerJava extends Fine {
          public String name() { return "newer"; }
        }
        public static class Throwing extends Fine {
          public Throwing() { throw new IllegalStateException("in the constructor"); }
        }
        public static class Nameless extends Fine {
          public String name() { return null; }
        }
        public static class Unnamed extends Fine {
          public String name() { throw new IllegalStateException("in the name"); }
        }
        public static class Endless extends Fine {
          public String name() { return name(); }
        }
        public static class TwoWords extends Fine {
          public String name() { return "two words"; }
        }
        public static class Colon extends Fine {
          public String name() { return "random:x"; }
        }
        public static class Undescribed extends Fine {
          public String name() { return "undescribed"; }
          public String summary() { return null; }
        }
        public static class Unmaking extends Fine {
          public String name() { return "unmaking"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            throw new NoClassDefFoundError("gone");
          }
        }
        public static class Unfinished extends Fine {
          public String name() { return "unfinished"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            throw new AssertionError("not yet");
          }
        }
        public static class Empty extends Fine {
          public String name() { return "empty"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) { return null; }
        }
        public static class Counting extends Fine {
          public String name() { return "counting"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            Integer.parseInt(settings.text("count", ""));
            return super.make(settings, nothing);
          }
        }
        public static class Composing extends Fine {
          public String name() { return "composing"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            return AccessStrategies.parse(settings.text("of", ""));
          }
        }
        public static class Silent extends Fine {
          public String name() { return "silent"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            throw new IllegalArgumentException();
          }
        }
        public static class Anonymous extends Fine {
          public String name() { return "anonymous"; }
          public AccessStrategy make(SpecReader settings, Nothing nothing) {
            return new AccessStrategy() {
              public String name() { return null; }
              public AccessReason order(
                  AccessRequest asked, ReadView view, RandomGenerator random, int[] order) {
                return AccessReason.ONLY_REPLICA;
              }
            };
          }
        }
      }
      """;

  private static final List<String> CLASSES =
      List.of(
          "odd.Fine$OfNewerJava",
          "odd.Fine$Throwing",
          "odd.Fine$Nameless",
          "odd.Missing",
          "odd.Fine$Unnamed",
          "odd.Fine$Endless",
          "odd.Fine$TwoWords",
          "odd.Fine$Colon",
          "odd.Fine$Undescribed",
          "odd.Fine$Unmaking",
          "odd.Fine$Unfinished",
          "odd.Fine$Empty",
          "odd.Fine$Counting",
          "odd.Fine$Composing",
          "odd.Fine$Silent",
          "odd.Fine$Anonymous",
          "odd.Fine");

  @TempDir static Path folder;
  private static URLClassLoader loader;

  @BeforeAll
  static void load() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Files.writeString(sources.resolve("Fine.java"), SOURCE);
    PolicyJar.make(sources, CLASS_PATH, folder.resolve("made"));
    Path classes = folder.resolve("made/classes");
    Path newer = classes.resolve("odd/Fine$OfNewerJava.class");
    byte[] bytes = Files.readAllBytes(newer);
    bytes[7] = NEWER_JAVA;
    Files.write(newer, bytes);
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    Files.write(services.resolve("io.tierwise.policies.access.AccessProvider"), CLASSES);
    List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (String each : CLASS_PATH.split(File.pathSeparator)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  @AfterAll
  static void close() throws IOException {
    loader.close();
  }

  private static List<?> listed(String method) throws ReflectiveOperationException {
    return (List<?>) loader.loadClass(REGISTRY).getMethod(method).invoke(null);
  }

  /** What comes of a text: "made", or the message of its refusal. */
  private static String parse(String text) throws ReflectiveOperationException {
    try {
      loader.loadClass(REGISTRY).getMethod("parse", String.class).invoke(null, text);
      return "made";
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).isInstanceOf(IllegalArgumentException.class);
      return e.getCause().getMessage();
    }
  }

  @Test
  void theOthersStayAndAreMade() throws ReflectiveOperationException {
    assertThat(listed("names")).asString().contains("fine").doesNotContain("newer", "two words");
    assertThat(parse("fine")).isEqualTo("made");
    assertThat(parse("random")).isEqualTo("made");
  }

  @Test
  void eachOneThatIsLeftOutIsSaidWithItsReasonInOneLine() throws ReflectiveOperationException {
    String problems = String.join(System.lineSeparator(), lines(listed("problems")));
    assertThat(problems.lines())
        .hasSize(9)
        .anyMatch(line -> line.contains("odd/Fine$OfNewerJava") && line.contains("more recent"))
        .anyMatch(line -> line.contains("odd.Fine$Throwing") && line.contains("the constructor"))
        .anyMatch(line -> line.contains("odd.Missing"))
        .anyMatch(line -> line.contains("odd.Fine$Nameless: the name null"))
        .anyMatch(line -> line.contains("odd.Fine$Unnamed") && line.contains("in the name"))
        .anyMatch(line -> line.contains("odd.Fine$Endless: java.lang.StackOverflowError"))
        .anyMatch(line -> line.contains("odd.Fine$TwoWords: the name \"two words\""))
        .anyMatch(line -> line.contains("odd.Fine$Colon: the name \"random:x\""))
        .anyMatch(line -> line.contains("odd.Fine$Undescribed: no usage or no summary"));
    assertThat(parse("newer")).startsWith("unknown access strategy").contains("more recent");
  }

  private static List<String> lines(List<?> texts) {
    return texts.stream().map(Object::toString).toList();
  }

  @Test
  void aProviderThatFailsRefusesTheTextInOneLine() throws ReflectiveOperationException {
    assertThat(parse("unmaking"))
        .isEqualTo(
            "access strategy \"unmaking\": odd.Fine$Unmaking failed: "
                + "java.lang.NoClassDefFoundError: \"gone\"");
    assertThat(parse("unfinished")).contains("odd.Fine$Unfinished failed", "not yet");
    assertThat(parse("empty")).contains("odd.Fine$Empty failed", "no policy");
    assertThat(parse("anonymous")).contains("odd.Fine$Anonymous failed", "no name");
  }

  @Test
  void aRefusalInWordsOfItsOwnSaysWhichPolicyRefuses() throws ReflectiveOperationException {
    assertThat(parse("counting:count=many"))
        .isEqualTo("access strategy \"counting\": For input string: \"many\"");
    assertThat(parse("composing:of=fine")).isEqualTo("made");
    assertThat(parse("composing:of=nothing"))
        .startsWith("access strategy \"composing\": unknown access strategy \"nothing\"");
    assertThat(parse("counting:count=1,size=2"))
        .isEqualTo("access strategy \"counting\": unknown setting \"size\"; allowed: count");
    assertThat(parse("silent"))
        .isEqualTo(
            "access strategy \"silent\": odd.Fine$Silent failed: "
                + "java.lang.IllegalArgumentException");
  }
}
