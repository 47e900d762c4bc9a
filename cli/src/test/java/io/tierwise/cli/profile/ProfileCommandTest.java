package io.tierwise.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tierwise.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands say when something is wrong. */
class ProfileCommandTest {
  private static final String JOB =
      """
      Avro-Json
      {"type":"record","name":"Event","fields":[]}
      {"type":"JOB_SUBMITTED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobSubmitted":\
      {"jobid":"job_1","jobName":"an application whose name\\nis wider than any terminal is, as those\
       of workflows that put all they know into it often are, for instance","submitTime":5000}}}
      {"type":"JOB_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobFinished":\
      {"finishTime":9000}}}
      """;

  @TempDir private Path folder;

  private String catalog() {
    return folder.resolve("runs.db").toString();
  }

  private String folderOfLogs(String... texts) throws IOException {
    Path logs = Files.createDirectories(folder.resolve("logs/2026/11"));
    for (int i = 0; i < texts.length; i++) {
      Files.writeString(logs.resolve("job_" + i + ".jhist"), texts[i]);
    }
    return folder.resolve("logs").toUri().toString();
  }

  private static void assertRefused(CommandRun run, int exitCode, String message) {
    assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
    assertThat(run.err()).contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void addsWhatItCanAndSaysWhatItCannot() throws IOException {
    String logs = folderOfLogs(JOB, JOB.substring(0, 300));

    CommandRun run = CommandRun.of("profile", "import", logs, "--catalog", catalog());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).startsWith("added 1 run; 0 were there, ");
    assertThat(run.err()).startsWith("tierwise profile import: ").contains("job_1.jhist:");
    assertThat(run.err()).hasLineCount(1);
    CommandRun again = CommandRun.of("profile", "import", logs, "--catalog", catalog(), "--json");
    assertThat(again.out()).contains("\"added\" : 0", "\"known\" : 1", "\"refused\" : 1");
  }

  @Test
  void noRunIsAddedByANameOfNothing() throws IOException {
    String logs = folderOfLogs(JOB);
    for (String blank : new String[] {"", " "}) {
      assertRefused(
          CommandRun.of("profile", "import", logs, "--application", blank, "--catalog", catalog()),
          2,
          "--application is empty: give a name, or leave the option out");
    }
    CommandRun run = CommandRun.of("profile", "import", logs, "--catalog", catalog());
    assertThat(run.out()).startsWith("added 1 run; 0 were there, ");
    CommandRun named =
        CommandRun.of("profile", "run", "--input", "/in", "--application", "", "--", "true");
    assertRefused(named, 2, "--application is empty");
  }

  @Test
  void tablesFitATerminal() throws IOException {
    CommandRun.of("profile", "import", folderOfLogs(JOB), "--catalog", catalog());

    CommandRun all = CommandRun.of("profile", "show", "--catalog", catalog());
    assertThat(all.exitCode()).as(all.err()).isZero();
    assertThat(all.out().lines()).allMatch(line -> line.length() <= 80);
    CommandRun json = CommandRun.of("profile", "show", "--json", "--catalog", catalog());
    assertThat(json.out()).contains("whose name is wider than");
    String name =
        "an application whose name is wider than any terminal is, as those of workflows"
            + " that put all they know into it often are, for instance";
    CommandRun one = CommandRun.of("profile", "show", name, "--catalog", catalog());
    assertThat(one.exitCode()).as(one.err()).isZero();
    assertThat(one.out().lines()).allMatch(line -> line.length() <= 80);
    CommandRun next =
        CommandRun.of("profile", "predict", name, "--input", "1g", "--catalog", catalog());
    assertThat(next.out().lines()).allMatch(line -> line.length() <= 80);
    assertThat(next.err()).contains("its runs read no stored data");
  }

  @Test
  void aWrongWishIsBadInput() throws IOException {
    assertRefused(
        CommandRun.of("profile", "show", "--catalog", catalog()), 2, "there is no catalog");
    assertRefused(
        CommandRun.of("profile", "import", folder.toUri() + "gone", "--catalog", catalog()),
        2,
        "no such path: ");
    assertRefused(
        CommandRun.of(
            "profile",
            "import",
            folderOfLogs(JOB),
            folder.toUri() + "gone",
            "--catalog",
            catalog()),
        2,
        "no such path: ");
    assertThat(Path.of(catalog())).as("nothing of the first path is added").doesNotExist();
    CommandRun.of("profile", "import", folderOfLogs(JOB), "--catalog", catalog());
    assertRefused(
        CommandRun.of("profile", "show", "sort", "--catalog", catalog()),
        2,
        "no run of \"sort\" is in the catalog");
    assertRefused(
        CommandRun.of("profile", "predict", "sort", "--input", "much", "--catalog", catalog()),
        2,
        "--input is much: give bytes");
  }

  @Test
  void aCatalogThatIsNoneIsSaidInALine() throws IOException {
    Files.writeString(folder.resolve("runs.db"), "no catalog\n".repeat(100));

    assertRefused(
        CommandRun.of("profile", "show", "--catalog", catalog()), 3, "is damaged, or no catalog");
    assertRefused(
        CommandRun.of("profile", "import", folderOfLogs(JOB), "--catalog", catalog()),
        3,
        "is damaged, or no catalog");
  }
}
