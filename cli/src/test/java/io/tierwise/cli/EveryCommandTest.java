package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Properties of every command, found in the command tree itself. */
class EveryCommandTest {
  static final int TERMINAL_CHARACTERS = 80;

  /** Every command and its subcommands; picocli's own help command is left out. */
  static Stream<CommandLine> commands() {
    return commands(TierwiseCommand.commandLine());
  }

  static Stream<CommandLine> commands(CommandLine parent) {
    return Stream.concat(
        Stream.of(parent),
        parent.getSubcommands().values().stream()
            .distinct()
            .filter(child -> !child.getCommandName().equals("help"))
            .filter(child -> !child.getCommandSpec().usageMessage().hidden())
            .flatMap(EveryCommandTest::commands));
  }

  static void assertFits(String name, String text) {
    assertThat(text.lines().filter(line -> line.length() > TERMINAL_CHARACTERS))
        .as("lines of '%s' beyond %d columns", name, TERMINAL_CHARACTERS)
        .isEmpty();
  }

  private static String[] words(CommandLine command, String... more) {
    String name = command.getCommandSpec().qualifiedName();
    return Stream.concat(Arrays.stream(name.split(" ")).skip(1), Stream.of(more))
        .toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpFitsATerminal(CommandLine command) {
    String help = command.getUsageMessage(Ansi.OFF);
    assertThat(help).contains("Usage: " + command.getCommandSpec().qualifiedName());
    assertFits(command.getCommandSpec().qualifiedName() + " --help", help);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpShowsWhatTheOptionDoes(CommandLine command) {
    String[] words = words(command);
    String[] asked = Stream.concat(Stream.of("help"), Stream.of(words)).toArray(String[]::new);
    CommandRun run = CommandRun.of(asked);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo(CommandRun.of(words(command, "--help")).out());
  }

  @Test
  void helpNamesACommandThatIsNotThere() {
    CommandRun run = CommandRun.of("help", "policy", "sett");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).startsWith("tierwise help: 'tierwise policy' has no command 'sett'");
  }

  /** A parent lists its children with the first element of their descriptions. */
  @ParameterizedTest
  @MethodSource("commands")
  void noSentenceOfTheHelpIsCut(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    if (spec.name().equals("generate-completion")) {
      return; // picocli's own words
    }
    Stream<String> ofArguments =
        spec.args().stream().map(ArgSpec::description).flatMap(Arrays::stream);
    assertThat(Stream.concat(Arrays.stream(spec.usageMessage().description()), ofArguments))
        .as("descriptions of %s", spec.qualifiedName())
        .isNotEmpty()
        .allMatch(text -> text.endsWith(".") || text.endsWith(":"));
    assertThat(spec.usageMessage().description()[0])
        .as("the line of %s in its parent's list", spec.qualifiedName())
        .endsWith(".");
  }

  /** Words that Java cannot format are printed raw, below a warning on standard error. */
  @ParameterizedTest
  @MethodSource("commands")
  void aPercentSignOfTheHelpIsWrittenTwice(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    Stream<String> ofArguments =
        spec.args().stream().map(EveryCommandTest::written).flatMap(Arrays::stream);
    Stream<String> ofCommand = Arrays.stream(spec.usageMessage().description());
    assertThat(Stream.concat(ofCommand, ofArguments))
        .allSatisfy(text -> assertThatCode(() -> String.format(text)).doesNotThrowAnyException());
  }

  /** As it stands in the source: the parser's own answer is formatted. */
  private static String[] written(ArgSpec argument) {
    if (!(argument.userObject() instanceof Field field)) {
      return new String[0];
    }
    Option option = field.getAnnotation(Option.class);
    Parameters words = field.getAnnotation(Parameters.class);
    return option != null ? option.description() : words.description();
  }

  /** The parser takes what the help shows: it names the command, and no option that is gone. */
  @ParameterizedTest
  @MethodSource("commands")
  void anExampleIsInTheHelpAndIsTaken(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    boolean hasChildren = !command.getSubcommands().isEmpty() && !spec.name().equals("demo");
    if (hasChildren || spec.name().equals("generate-completion")) {
      return; // one shows its commands, the other has picocli's own words
    }
    String[] footer = spec.usageMessage().footer();
    assertThat(footer).as("examples of %s", spec.qualifiedName()).isNotEmpty();
    for (String example : footer) {
      GuideCommands.Line line = GuideCommands.Line.of(example.strip());
      assertThat(example).startsWith("  " + spec.qualifiedName());
      assertThatCode(() -> TierwiseCommand.commandLine().parseArgs(line.arguments(1)))
          .as(example)
          .doesNotThrowAnyException();
    }
    assertThat(command.getUsageMessage(Ansi.OFF)).contains("\nFor example:\n" + footer[0]);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aWrongOptionGetsItsUsageLineAndNotTheWholeHelp(CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    if (name.endsWith("generate-completion")) {
      return; // picocli's own, which takes any word
    }
    CommandRun run = CommandRun.of(words(command, "--jsonn"));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    List<String> lines = run.err().lines().toList();
    assertThat(lines).hasSizeBetween(3, 5);
    assertThat(lines.get(0)).startsWith(name + ": ").containsAnyOf("--jsonn", "missing required");
    assertThat(lines.get(1)).startsWith("Usage: " + name);
    assertThat(lines.get(lines.size() - 1)).isEqualTo("'" + name + " --help' says more.");
    assertFits(name + " --jsonn", String.join("\n", lines.subList(1, lines.size())));
  }

  @Test
  void allExitCodesAreInTheHelp() {
    CommandRun help = CommandRun.of("--help");
    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .containsSubsequence(
            "Exit codes:",
            "\n  0 ",
            "\n  1 ",
            "\n  2 ",
            "\n  3 ",
            "\n  130 ",
            "\n  141 ",
            "\n  143 ");
  }

  @Test
  void aWrongOptionIsSaidWithTheRightOne() {
    assertThat(CommandRun.of("tiers", "list", "--jsn").err())
        .startsWith("tierwise tiers list: unknown option: '--jsn'; did you mean --json?");
    assertThat(CommandRun.of("tires").err())
        .startsWith("tierwise: there is no command 'tires'; did you mean 'tiers'?");
    assertThat(CommandRun.of("simulat").err())
        .startsWith("tierwise: there is no command 'simulat'; did you mean 'simulate'?");
    assertThat(CommandRun.of("zzz").err().lines().findFirst())
        .contains("tierwise: there is no command 'zzz'");
    assertThat(CommandRun.of("policy", "set").err())
        .startsWith("tierwise policy set: missing required parameter: 'PATH'");
  }

  @Test
  void anErrorOfACommandBeginsWithItsName() {
    CommandRun run = CommandRun.of("tiers", "probe", "/nowhere");
    assertThat(run.err())
        .startsWith("tierwise tiers probe: /nowhere is no directory: run this on a DataNode")
        .hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void aListOfWhatIsKnownIsNotCut() {
    CommandRun run =
        CommandRun.of("search", "hats-testbed", "--vary", "seed=1..9", "--minimise", "speed");
    assertThat(run.err()).contains("speed is no figure").doesNotContain("...").hasLineCount(1);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void aValueThatCannotBeIsSaidWithoutTypesOfJava() {
    assertThat(CommandRun.of("tiers", "probe", "--readers", "1,a").err())
        .startsWith(
            "tierwise tiers probe: invalid value for option '--readers' (N): 'a' is no whole");
    assertThat(CommandRun.of("tiers", "probe", "--seconds", "soon").err())
        .startsWith(
            "tierwise tiers probe: invalid value for option '--seconds': 'soon' is no number");
    assertThat(CommandRun.of("tiers", "probe", "--file-mebibytes", "99999999999").err())
        .contains("'99999999999' is no whole number of at most 2147483647");
    assertThat(CommandRun.of("heat", "top", "--zone", "Mars").err())
        .startsWith("tierwise heat top: invalid value for option '--zone': ")
        .contains("Mars")
        .doesNotContain("convert", "Exception");
  }

  @Test
  void anErrorIsNotCalledOneTwice() {
    assertThat(CommandRun.of("file", "copy-to", "/x").err())
        .startsWith("tierwise file copy-to: missing required argument (specify one of these)");
  }

  @Test
  void whatToChangeIsSaidBehindANameOfTwoLines() {
    CommandRun run = CommandRun.of("simulate", "no\nsuch");
    assertThat(run.err()).hasLineCount(1).contains("\"no?such\" does not exist; named clusters");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void anOptionThatWantsKeyAndValueSaysSoOnce() {
    assertThat(CommandRun.of("tiers", "list", "-D", "key").err())
        .startsWith("tierwise tiers list: value for option '-D' (KEY=VALUE) should be");
  }

  @Test
  void whoNamesNoClusterIsToldOfTheEmbeddedOne() {
    assertThat(CommandRun.of("tiers", "list").err()).contains("--fs").contains("--embedded");
  }
}
