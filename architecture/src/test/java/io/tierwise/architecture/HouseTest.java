package io.tierwise.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps the tree of ARCHITECTURE.md true: its rooms and packages are those that there are, and a
 * room uses no other than its arrow says.
 */
class HouseTest {
  /** Folders that builds and tools make. */
  private static final Set<String> MADE = Set.of("build", "target");

  private static Set<String> folders(Path of) throws IOException {
    try (Stream<Path> entries = Files.list(of)) {
      Set<String> names = new TreeSet<>();
      entries
          .filter(Files::isDirectory)
          .map(entry -> entry.getFileName().toString())
          .filter(name -> !name.startsWith(".") && !MADE.contains(name))
          // Builds of earlier commits leave folders behind; these are no rooms.
          .filter(name -> !Repository.files(of.resolve(name), file -> true).isEmpty())
          .forEach(names::add);
      return names;
    }
  }

  private static final String MAIN_SOURCES = "src/main/java";

  /**
   * Own: 99 now, of which 28 declare options and parameters with their help, and 16 import. Much
   * more than that was logic that a daemon would need, too.
   */
  private static final long LINES_A_COMMAND_MAX = 105;

  @Test
  void commandsKeepToParsingAndPrinting() throws IOException {
    Path sources = Repository.root().resolve("cli/src/main/java");
    long lines = 0;
    long commands = 0;
    for (Path source : Repository.files(sources, path -> path.toString().endsWith(".java"))) {
      List<String> text = Files.readAllLines(source);
      lines += text.size();
      commands += text.stream().filter(line -> line.strip().startsWith("@Command")).count();
    }

    assertThat(lines).isPositive().isLessThan(LINES_A_COMMAND_MAX * commands);
  }

  /** The package that all others of a room are in. */
  private static Path base(String room) {
    return Repository.root().resolve(room).resolve(MAIN_SOURCES + "/io/tierwise").resolve(room);
  }

  @Test
  void theTreeNamesAllRoomsAndNoOther() throws IOException {
    Set<String> there = new TreeSet<>(folders(Repository.root()));
    there.remove("hadoop");
    folders(Repository.root().resolve("hadoop")).forEach(name -> there.add("hadoop/" + name));

    assertThat(HouseTree.rooms().keySet()).isEqualTo(there);
  }

  @Test
  void theTreeNamesThePackagesOfEachRoom() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (HouseTree.Room room : HouseTree.rooms().values()) {
      if (!room.packages().isEmpty()) {
        Set<String> there = folders(base(room.path()));
        if (!there.equals(room.packages())) {
          wrong.add(room.path() + " has " + there + ", the tree says " + room.packages());
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(HouseTree.rooms()).hasSizeGreaterThan(15);
  }

  @Test
  void everyModuleOfTheBuildIsARoom() throws IOException {
    List<String> modules =
        Files.readAllLines(Repository.root().resolve("pom.xml")).stream()
            .filter(line -> line.contains("<module>"))
            .map(line -> line.replaceAll(".*<module>(.*)</module>.*", "$1"))
            .toList();

    assertThat(modules).isNotEmpty();
    assertThat(HouseTree.rooms().keySet()).containsAll(modules);
  }

  @Test
  void eachRoomUsesOnlyThoseThatItsArrowNames() throws IOException {
    List<String> byClasses = new ArrayList<>();
    List<String> bySources = new ArrayList<>();
    for (HouseTree.Room room : HouseTree.rooms().values()) {
      if (isOnClassPath(room)) {
        HouseTree.arrowOf(room).check(ProjectClasses.main());
        byClasses.add(room.path());
      } else if (Files.isDirectory(Repository.root().resolve(room.path()).resolve(MAIN_SOURCES))) {
        assertThat(HouseTree.namesBeyondArrow(room)).as(room.path()).isEmpty();
        bySources.add(room.path());
      }
    }

    assertThat(byClasses)
        .contains("core", "policies", "simulator", "experiments", "hadoop/hdfs", "hadoop/yarn")
        .contains("lab", "cli");
    assertThat(bySources).containsExactlyInAnyOrder("benchmarks", "hadoop/conformance");
  }

  private static boolean isOnClassPath(HouseTree.Room room) {
    return ProjectClasses.main().stream()
        .anyMatch(each -> (each.getPackageName() + ".").startsWith(room.packageName() + "."));
  }

  @Test
  void anArrowThatIsTooShortIsNoticed() throws IOException {
    HouseTree.Room lab = HouseTree.rooms().get("lab");
    HouseTree.Room blind = new HouseTree.Room("lab", List.of("simulator"), lab.packages());

    assertThat(HouseTree.arrowOf(blind).evaluate(ProjectClasses.main()).hasViolation()).isTrue();
    HouseTree.Room benchmarks = new HouseTree.Room("benchmarks", List.of("core"), Set.of());
    assertThat(HouseTree.namesBeyondArrow(benchmarks))
        .anyMatch(name -> name.contains("io.tierwise.simulator."));
  }
}
