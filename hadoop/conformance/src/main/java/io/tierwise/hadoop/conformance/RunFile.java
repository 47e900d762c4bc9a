package io.tierwise.hadoop.conformance;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A finished run on disk ({@code run.json} in its folder), for {@code --reuse-stock}. */
final class RunFile {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private RunFile() {}

  static void write(Path folder, ClassRun run) throws IOException {
    JSON.writeValue(folder.resolve("run.json").toFile(), run);
  }

  /** The run that was written to {@code folder}, if there is one. */
  static Optional<ClassRun> read(Path folder) throws IOException {
    Path file = folder.resolve("run.json");
    return Files.exists(file)
        ? Optional.of(JSON.readValue(file.toFile(), new TypeReference<ClassRun>() {}))
        : Optional.empty();
  }
}
