package io.tierwise.policies.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.policies.text.PolicyProvider.Nothing;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PolicyRegistryTest {
  /** Makes the text that tells what was made, and of which settings. */
  private record Named(String name, String maker) implements PolicyProvider<String, Nothing> {
    @Override
    public String usage() {
      return name + ":size=N";
    }

    @Override
    public String summary() {
      return "a text";
    }

    @Override
    public String make(SpecReader settings, Nothing nothing) {
      return maker + " " + settings.integer("size", 1, 0, 9);
    }
  }

  private static PolicyRegistry<String, Nothing> registry(Named... others) {
    return PolicyRegistry.merged(
        "test policy",
        60,
        Function.identity(),
        List.of(new Named("own", "ours")),
        List.of(others),
        List.of());
  }

  private static String parse(PolicyRegistry<String, Nothing> registry, String text) {
    return registry.parse(text, Nothing.NOTHING);
  }

  @Test
  void policiesOfOthersComeAfterOursInOrderOfTheirNames() {
    PolicyRegistry<String, Nothing> registry = registry(new Named("b", "B"), new Named("a", "A"));

    assertThat(registry.providers())
        .extracting(PolicyProvider::name)
        .containsExactly("own", "a", "b");
    assertThat(parse(registry, "own")).isEqualTo("ours 1");
    assertThat(parse(registry, " b : size=4 ")).isEqualTo("B 4");
    assertThat(registry.problems()).isEmpty();
  }

  @Test
  void aNameThatIsTakenGoesToNobodyElseAndIsSaid() {
    PolicyRegistry<String, Nothing> registry =
        registry(new Named("own", "thief"), new Named("a", "one"), new Named("a", "two"));

    assertThat(parse(registry, "own")).isEqualTo("ours 1");
    assertThat(registry.problems()).hasSize(2).allMatch(problem -> problem.contains("is taken"));
    assertThatThrownBy(() -> parse(registry, "a"))
        .hasMessageStartingWith("unknown test policy \"a\"; known: own; not loaded: ")
        .hasMessageContaining(Named.class.getName());
  }

  /** A host that reads it does as it would without a policy, and asks nobody. */
  @Test
  void nobodyIsCalledAsHostsCallTheirOwnWay() {
    PolicyRegistry<String, Nothing> registry = registry(new Named("stock", "S"));

    assertThat(registry.providers()).extracting(PolicyProvider::name).containsExactly("own");
    assertThat(registry.problems()).hasSize(1).allMatch(problem -> problem.contains("is taken"));
  }

  @Test
  void whatCannotBeLoadedTakesNothingElseWithIt() {
    PolicyRegistry<String, Nothing> registry =
        PolicyRegistry.merged(
            "test policy",
            60,
            Function.identity(),
            List.of(new Named("own", "ours")),
            List.of(),
            List.of("x.Y: no class"));

    assertThat(parse(registry, "own:size=2")).isEqualTo("ours 2");
    assertThatThrownBy(() -> parse(registry, "y"))
        .hasMessageContaining("not loaded: x.Y: no class");
  }

  @Test
  void badTextsAreRefusedInOneLine() {
    PolicyRegistry<String, Nothing> registry = registry();
    assertThatThrownBy(() -> parse(registry, "own:size=10"))
        .hasMessage("test policy \"own\": size is \"10\"; a whole number from 0 to 9 is allowed");
    assertThatThrownBy(() -> parse(registry, "own:colour=red"))
        .hasMessageContaining("allowed: size");
    assertThatThrownBy(() -> parse(registry, "own:")).hasMessageContaining("is not key=value");
    assertThatThrownBy(() -> parse(registry, "own:size=2,"))
        .hasMessageContaining("is not key=value");
    assertThatThrownBy(() -> parse(registry, "own:" + "x".repeat(60)))
        .hasMessageContaining("at most 60 are allowed");
  }

  /** Hosts write it into attributes, and read it again there. */
  @Test
  void aNameThatCannotBeReadBackIsNoCanonicalText() {
    assertThatThrownBy(() -> canonical(shares(), "of:part=0.12"))
        .hasMessageStartingWith("share \"of\": its name() \"12\" cannot be read back: unknown");
    assertThatThrownBy(() -> canonical(shares(part -> "of:part=0." + (part + 10)), "of:part=0.12"))
        .hasMessage(
            "share \"of\": its name() \"of:part=0.22\" cannot be read back: it makes"
                + " \"of:part=0.32\"");
    PolicyRegistry<String, Nothing> named = registry(new Named("text", "text:size="));
    assertThat(canonical(named, " text : size=3")).isEqualTo("text:size= 3");
  }

  private static <P> String canonical(PolicyRegistry<P, Nothing> registry, String specification) {
    return registry.canonical(specification, text -> registry.parse(text, Nothing.NOTHING));
  }

  /** Makes the share that its text names, in hundredths. */
  private record Shared(String name) implements PolicyProvider<Integer, Nothing> {
    @Override
    public String usage() {
      return name + ":part=P";
    }

    @Override
    public String summary() {
      return "a share";
    }

    @Override
    public Integer make(SpecReader settings, Nothing nothing) {
      return settings.decimal("part", 0, 2, 100);
    }
  }

  @Test
  void aNumberWithMoreDecimalsThanCountIsRefusedAndNotRounded() {
    PolicyRegistry<Integer, Nothing> registry = shares();
    assertThat(registry.parse("of:part=0.120", Nothing.NOTHING)).isEqualTo(12);
    assertThatThrownBy(() -> registry.parse("of:part=0.125", Nothing.NOTHING))
        .hasMessage(
            "share \"of\": part is \"0.125\"; a number from 0 to 1 with at most 2 decimals is"
                + " allowed");
  }

  @Test
  void anUnknownSettingNamesEachThatIsAskedFor() {
    PolicyRegistry<Integer, Nothing> registry = shares();
    assertThatThrownBy(() -> registry.parse("of:size=1", Nothing.NOTHING))
        .hasMessage("share \"of\": unknown setting \"size\"; allowed: part");
  }

  private static PolicyRegistry<Integer, Nothing> shares() {
    return shares(Object::toString);
  }

  private static PolicyRegistry<Integer, Nothing> shares(Function<Integer, String> nameOf) {
    return PolicyRegistry.merged(
        "share", 60, nameOf, List.of(new Shared("of")), List.of(), List.of());
  }

  @Test
  void aQuotedTextHasNoCharacterThatATerminalObeys() {
    assertThat(SpecReader.quoted("a ~\u007f\u001b\nb\u0085"))
        .isEqualTo("\"a ~\\u007f\\u001b\\u000ab\\u0085\"");
  }
}
