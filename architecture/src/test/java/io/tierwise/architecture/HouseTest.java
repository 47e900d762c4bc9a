package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the tree of ARCHITECTURE.md true: its rooms and packages are those that there are. */
class HouseTest {
  private static final String FIRST_ROOM = "core/";

  /** Folders that builds and tools make. */
  private static final Set<String> MADE = Set.of("build", "target");

  /** By a room's path its packages, as the tree says; empty for rooms of which it names none. */
  private static Map<String, Set<String>> told() throws IOException {
    List<String> lines = Files.readAllLines(Repository.root().resolve("ARCHITECTURE.md"));
    int first = 0;
    while (!lines.get(first).startsWith(FIRST_ROOM)) {
      first++;
    }
    Map<String, Set<String>> rooms = new TreeMap<>();
    for (String line : lines.subList(first, lines.size())) {
      if (line.equals("```")) {
        break;
      }
      int colon = line.lastIndexOf(" : ");
      Set<String> packages = new TreeSet<>();
      if (colon >= 0) {
        packages.addAll(List.of(line.substring(colon + 3).strip().split(" ")));
      }
      for (String word : (colon < 0 ? line : line.substring(0, colon)).split(" +")) {
        if (word.endsWith("/")) {
          rooms.put(word.substring(0, word.length() - 1), packages);
        }
      }
    }
    return rooms;
  }

  private static Set<String> folders(Path of) throws IOException {
    try (Stream<Path> entries = Files.list(of)) {
      Set<String> names = new TreeSet<>();
      entries
          .filter(Files::isDirectory)
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !name.startsWith(".") && !MADE.contains(name))
          // What a build of an earlier commit left behind is no room.
          .filter(name -> !Repository.files(of.resolve(name), file -> true).isEmpty())
          .forEach(names::add);
      return names;
    }
  }

  /** The package that all others of a room are in. */
  private static Path base(String room) {
    return Repository.root().resolve(room).resolve("src/main/java/io/tierwise").resolve(room);
  }

  @Test
  void theTreeNamesAllRoomsAndNoOther() throws IOException {
    Set<String> there = new TreeSet<>(folders(Repository.root()));
    there.remove("hadoop");
    folders(Repository.root().resolve("hadoop")).forEach(name -> there.add("hadoop/" + name));

    assertThat(told().keySet()).isEqualTo(there);
  }

  @Test
  void theTreeNamesThePackagesOfEachRoom() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, Set<String>> room : told().entrySet()) {
      if (!room.getValue().isEmpty()) {
        Set<String> there = folders(base(room.getKey()));
        if (!there.equals(room.getValue())) {
          wrong.add(room.getKey() + " has " + there + ", the tree says " + room.getValue());
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(told()).hasSizeGreaterThan(15);
  }

  @Test
  void everyModuleOfTheBuildIsARoom() throws IOException {
    List<String> modules =
        Files.readAllLines(Repository.root().resolve("pom.xml")).stream()
            .filter(line -> line.contains("<module>"))
            .map(line -> line.replaceAll(".*<module>(.*)</module>.*", "$1"))
            .toList();

    assertThat(modules).isNotEmpty();
    assertThat(told().keySet()).containsAll(modules);
  }
}
