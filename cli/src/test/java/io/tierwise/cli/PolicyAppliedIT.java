package io.tierwise.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.Test;

/** {@code policy set --apply} beside somebody else, who does not wait for its end. */
class PolicyAppliedIT extends MoveDataCluster {
  private static final String PLACEMENT = "user.tierwise.placement";
  private static final String ACCESS = "user.tierwise.access";
  private static final String[] SET = {
    "policy",
    "set",
    "/warehouse",
    "--placement",
    "layout:3 x ssd",
    "--access",
    "balanced:50",
    "--apply",
    "--json"
  };

  /** Something that somebody does. */
  private interface Doing {
    void run() throws IOException;
  }

  /** Sets the policy, and somebody else does something once it holds. */
  private static CommandRun setWhile(Doing doing) {
    CompletableFuture<Void> somebodyElse =
        CompletableFuture.runAsync(
            () -> {
              try {
                GenericTestUtils.waitFor(PolicyAppliedIT::isSet, 5, 60_000);
                doing.run();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    CommandRun run = run(SET);
    somebodyElse.join();
    return run;
  }

  private static boolean isSet() {
    try {
      return fs.getXAttrs(WAREHOUSE).containsKey(PLACEMENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** His policy is newer, and nothing that the run has to write down. */
  @Test
  void aPolicyThatIsSetDuringTheMovesStays() throws Exception {
    String his = "layout:2 x ssd + 1 x disk";

    CommandRun run = setWhile(() -> fs.setXAttr(WAREHOUSE, PLACEMENT, his.getBytes(UTF_8)));

    assertThat(json(run).path("id").asText()).as(run.err()).isNotEmpty();
    assertThat(fs.getXAttr(WAREHOUSE, PLACEMENT)).asString(UTF_8).isEqualTo(his);
    assertThat(fs.getXAttr(WAREHOUSE, ACCESS)).asString(UTF_8).contains("50");
  }

  /** It is a policy as the placement is, and taken back with it. */
  @Test
  void theAccessStrategyIsInTheJournalToo() throws Exception {
    run("policy", "set", "/warehouse", "--access", "dld");

    CommandRun run = run(SET);

    String id = json(run).path("id").asText();
    assertThat(run("journal", id).out())
        .as(run.err())
        .contains("/warehouse: access strategy dld -> balanced:50");
    assertThat(run("undo", id).exitCode()).isZero();
    assertThat(fs.getXAttr(WAREHOUSE, ACCESS)).asString(UTF_8).isEqualTo("dld");
    assertThat(fs.getXAttrs(WAREHOUSE)).doesNotContainKey(PLACEMENT);
    assertThat(run("undo", "last").exitCode()).isZero();
    assertThat(fs.getXAttr(WAREHOUSE, ACCESS)).asString(UTF_8).isEqualTo("balanced:50");
  }

  /** Somebody's newer strategy is his. */
  @Test
  void aStrategyThatWasSetSinceStaysWhenTheRunIsUndone() throws Exception {
    String id = json(run(SET)).path("id").asText();
    run("policy", "set", "/warehouse", "--access", "dld");

    CommandRun undo = run("undo", id);

    assertThat(undo.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(undo.unfolded()).contains("its access strategy was changed since, to dld");
    assertThat(fs.getXAttr(WAREHOUSE, ACCESS)).asString(UTF_8).isEqualTo("dld");
  }

  @Test
  void whatCannotBeWrittenDownIsNotSet() throws Exception {
    List<String> words = new ArrayList<>(List.of(SET));
    words.addAll(List.of("--journal", "/proc/journal"));

    CommandRun run = run(words.toArray(String[]::new));

    assertThat(run.exitCode()).isEqualTo(ExitCode.CLUSTER);
    assertThat(run.err()).contains("the journal /proc/journal cannot be written", "nothing was");
    assertThat(fs.getXAttrs(WAREHOUSE)).isEmpty();
  }

  /** What was moved stays moved, and is found by its id. */
  @Test
  void aDirectoryThatIsRenamedDuringTheMovesLosesNoReport() throws Exception {
    Path elsewhere = new Path("/elsewhere");

    CommandRun run = setWhile(() -> fs.rename(WAREHOUSE, elsewhere));
    fs.delete(elsewhere, true);

    assertThat(json(run).path("id").asText()).as(run.err()).isNotEmpty();
  }
}
