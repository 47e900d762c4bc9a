package io.tierwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.profiles.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands with a catalog on a real PostgreSQL server. */
class ProfilesOnPostgresTest {
  private static final Path ROOT = CommandReferenceTest.projectFolder();
  private static final Path GUIDE = ROOT.resolve("docs/how-to/profiles.md");
  private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);

  @TempDir private static Path folder;
  private static PostgresServer server;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private static CommandRun profile(String verb, String catalog, String... more) {
    List<String> arguments = new ArrayList<>(List.of("profile", verb, "--catalog", catalog));
    arguments.addAll(List.of(more));
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
    assertThat(run.out() + run.err()).doesNotContain("s3cret");
    return run;
  }

  /** The answers of a fresh catalog to all three commands. */
  private static List<String> answers(String catalog) {
    List<String> answers = new ArrayList<>();
    String logs = ROOT.resolve("examples/profiles").toUri().toString();
    for (int i = 0; i < 2; i++) {
      answers.add(profile("import", catalog, logs, "--json").out());
    }
    answers.add(profile("show", catalog, "--json").out());
    answers.add(profile("show", catalog, "word count #").out());
    CommandRun next = profile("predict", catalog, "word count #", "--input", "6GiB", "--json");
    assertThat(next.exitCode()).as(next.err()).isZero();
    answers.add(next.out());
    return answers;
  }

  @Test
  void answersAsAFileDoes(@TempDir Path files) throws Exception {
    List<String> ofFile = answers(files.resolve("runs.db").toString());

    assertThat(answers(server.url(server.newDatabase()))).isEqualTo(ofFile);
    assertThat(ofFile.get(0)).contains("\"added\" : 5");
    assertThat(ofFile.get(1)).contains("\"added\" : 0");
  }

  @Test
  void theGuidesUsersHaveTheRightsThatTheyNeed() throws Exception {
    List<String> statements = new ArrayList<>();
    SQL.matcher(Files.readString(GUIDE))
        .results()
        .forEach(block -> statements.addAll(List.of(block.group(1).strip().split(";\\s*"))));
    List<GuideCommands.Line> lines = GuideCommands.of(GUIDE, "a server");
    assertThat(statements).hasSize(5);
    assertThat(lines).hasSize(3);

    server.execute("postgres", statements.subList(0, 3).toArray(String[]::new));
    assertWorks(lines.get(0));
    server.execute("runs", statements.subList(3, 5).toArray(String[]::new));
    assertWorks(lines.get(1));
    assertWorks(lines.get(2));
  }

  private static void assertWorks(GuideCommands.Line line) {
    String[] words = line.arguments(1);
    for (int i = 0; i < words.length; i++) {
      String user = words[i].replaceFirst("postgresql://(\\w+)@db.example.org/runs", "$1");
      words[i] = user.equals(words[i]) ? user : server.url(user, "...", "runs");
      words[i] = words[i].replace("examples/profiles", ROOT + "/examples/profiles");
    }
    CommandRun run = CommandRun.of(words);
    assertThat(run.exitCode()).as(line + ": " + run.err()).isZero();
  }

  @Test
  void saysInALineWhatIsWrong() throws Exception {
    CommandRun run = profile("show", server.url(server.newDatabase()));
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("there is no catalog postgresql://postgres@").hasLineCount(1);
    run = profile("show", server.url("gone"), "--json");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("is not there: have the database made").hasLineCount(1);
    run = profile("show", "postgresql://me:s3cret/@h/db");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--catalog is no URL of a PostgreSQL database").hasLineCount(1);
  }
}
