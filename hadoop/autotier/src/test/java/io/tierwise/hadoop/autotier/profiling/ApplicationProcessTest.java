package io.tierwise.hadoop.autotier.profiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tierwise.core.message.OperatorException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationProcessTest {
  @TempDir private Path folder;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final StopSign stop = new StopSign();

  private int run(String... words) throws IOException {
    return ApplicationProcess.run(
        List.of(words), Map.of("HADOOP_CONF_DIR", folder.toString()), lines::add, stop);
  }

  @Test
  void whatItPrintsAndItsExitCodeAreHandedOn() throws IOException {
    assertThat(run("sh", "-c", "echo $HADOOP_CONF_DIR; echo wrong >&2; exit 3")).isEqualTo(3);
    assertThat(lines).containsExactlyInAnyOrder(folder.toString(), "wrong");
  }

  /** Else the children of a shell would go on, with the input under their feet. */
  @Test
  void whoIsStoppedHasEndedWithItsChildren() {
    String shell = "sleep 600 & echo $!; wait";
    assertThatThrownBy(
            () ->
                ApplicationProcess.run(
                    List.of("sh", "-c", shell),
                    Map.of(),
                    line -> {
                      lines.add(line);
                      stop.set();
                    },
                    stop))
        .isInstanceOf(StopSign.Stopped.class);
    long child = Long.parseLong(lines.get(0));
    ProcessHandle.of(child)
        .ifPresent(process -> assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(30)));
  }

  @Test
  void aCommandThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> run(folder.resolve("absent").toString()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContainingAll("the command '", "absent' cannot be run: ");
  }
}
