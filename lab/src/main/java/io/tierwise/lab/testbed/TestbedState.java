package io.tierwise.lab.testbed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tierwise.core.message.OperatorException;
import io.tierwise.lab.ProcessIdentity;
import io.tierwise.lab.testbed.plan.TestbedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;

/**
 * The memory of a testbed, in {@code state.json} in its folder.
 *
 * @param plan the numbers it was made from
 * @param complete false while it is being made
 * @param daemons the NameNode's and the DataNodes' processes, by node
 */
public record TestbedState(
    TestbedPlan plan, boolean complete, Map<String, ProcessIdentity> daemons) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final String FILE = "state.json";

  public TestbedState {
    daemons = Map.copyOf(daemons);
  }

  /** The state in the folder; empty when there is none or another version wrote it. */
  public static Optional<TestbedState> read(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(file.toFile(), TestbedState.class));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw OperatorException.cluster("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /** Replaces the file in one step: a reader sees the old state or the new one. */
  public void write(Path folder) {
    try {
      Path next = folder.resolve(FILE + ".next");
      Files.createDirectories(folder);
      JSON.writeValue(next.toFile(), this);
      Files.move(
          next,
          folder.resolve(FILE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot write the testbed's state to " + folder + ": " + e.getMessage(), e);
    }
  }

  public static void delete(Path folder) {
    try {
      Files.deleteIfExists(folder.resolve(FILE));
    } catch (IOException e) {
      throw OperatorException.cluster(
          "cannot delete the testbed's state in " + folder + ": " + e.getMessage(), e);
    }
  }

  boolean allDaemonsLive() {
    return complete && daemons.values().stream().allMatch(ProcessIdentity::isAlive);
  }
}
