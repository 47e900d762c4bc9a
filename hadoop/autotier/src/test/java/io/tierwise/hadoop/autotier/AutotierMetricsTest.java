package io.tierwise.hadoop.autotier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutotierMetricsTest {
  private static final Pattern NAME = Pattern.compile("tierwise_autotier_[a-z_]+");

  @TempDir private Path folder;

  private static Control.Status status(Control.State state) {
    JobsTold jobs = new JobsTold(1, 20, 3, 400, 50, 2, 6_000, 700, "/secret does not answer");
    return new Control.Status(
        state, null, null, new Control.Told("host", "bob", "t", "t", "ppa", 8, null, jobs));
  }

  private static Set<String> names(String text) {
    return NAME.matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachNumberHasItsName() {
    assertThat(AutotierMetrics.text(status(Control.State.PAUSED)).lines())
        .filteredOn(line -> !line.startsWith("#"))
        .containsExactly(
            "tierwise_autotier_state{state=\"running\"} 0",
            "tierwise_autotier_state{state=\"paused\"} 1",
            "tierwise_autotier_state{state=\"stopped\"} 0",
            "tierwise_autotier_rounds_total 8",
            "tierwise_autotier_prefetch_waiting_jobs 1",
            "tierwise_autotier_prefetch_looked_jobs_total 20",
            "tierwise_autotier_prefetch_prefetched_jobs_total 3",
            "tierwise_autotier_prefetch_prefetched_bytes_total 400",
            "tierwise_autotier_prefetch_left_bytes_total 50",
            "tierwise_autotier_prefetch_withdrawn_jobs_total 2",
            "tierwise_autotier_prefetch_region_bytes 6000",
            "tierwise_autotier_prefetch_taken_bytes 700",
            "tierwise_autotier_prefetch_resource_manager_away 1");
  }

  @Test
  void whatASilentDaemonToldIsNotShownAsIfItWereNow() {
    assertThat(names(AutotierMetrics.text(status(Control.State.STOPPED))))
        .containsExactly("tierwise_autotier_state");
    assertThat(AutotierMetrics.text(new Control.Status(Control.State.STOPPED, null, null, null)))
        .contains("{state=\"stopped\"} 1");
  }

  @Test
  void theReferenceNamesThem() throws IOException {
    String reference =
        Files.readString(
            Path.of(System.getProperty("tierwise.root"), "docs", "reference", "metrics.md"));
    assertThat(names(reference))
        .isEqualTo(names(AutotierMetrics.text(status(Control.State.RUNNING))));
  }

  @Test
  void theFileIsReplacedWholeOrTheErrorNamesIt() throws IOException {
    Path file = Files.writeString(folder.resolve("autotier.prom"), "old");
    AutotierMetrics.write(status(Control.State.RUNNING), file);
    assertThat(file).hasContent(AutotierMetrics.text(status(Control.State.RUNNING)));
    assertThat(folder.toFile().list()).containsExactly("autotier.prom");

    Path nowhere = folder.resolve("none").resolve("autotier.prom");
    assertThatThrownBy(() -> AutotierMetrics.write(status(Control.State.RUNNING), nowhere))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--textfile " + nowhere + " cannot be written");
  }

  /** As {@code --textfile /dev/stdout}, which is a link. */
  @Test
  void behindALinkItsTargetIsReplacedAndNothingIsLeftBesideAFolder() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    AutotierMetrics.write(status(Control.State.RUNNING), link);
    assertThat(link).isSymbolicLink();
    assertThat(target).hasContent(AutotierMetrics.text(status(Control.State.RUNNING)));

    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThatThrownBy(() -> AutotierMetrics.write(status(Control.State.RUNNING), taken))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--textfile " + taken + " cannot be written");
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("target", "link", "taken");
  }
}
