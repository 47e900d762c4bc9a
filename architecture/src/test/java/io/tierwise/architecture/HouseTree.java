package io.tierwise.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The tree of rooms in ARCHITECTURE.md, read. */
final class HouseTree {
  private static final String FIRST_ROOM = "core/";
  private static final String ALL_BUT = "all but ";

  /** Comments and strings: these may name what they like. */
  private static final Pattern TEXT =
      Pattern.compile(
          "/\\*.*?\\*/|//[^\\n]*|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"", Pattern.DOTALL);

  private static final Pattern NAME = Pattern.compile("\\bio\\.tierwise(?:\\.\\w+)+");

  private HouseTree() {}

  /**
   * A room as the tree tells it.
   *
   * @param path of its folder
   * @param arrow the rooms that it may use, with all that those may use; empty when it has no
   *     arrow, and so may use none
   * @param packages empty when the tree names none
   */
  record Room(String path, List<String> arrow, Set<String> packages) {
    /** The package that all others of the room are in. */
    String packageName() {
      return "io.tierwise." + path.replace('/', '.').replace('-', '_');
    }
  }

  /** All rooms by their path. */
  static Map<String, Room> rooms() throws IOException {
    List<String> lines = Files.readAllLines(Repository.root().resolve("ARCHITECTURE.md"));
    int first = 0;
    while (!lines.get(first).startsWith(FIRST_ROOM)) {
      first++;
    }
    Map<String, Room> rooms = new TreeMap<>();
    for (String line : lines.subList(first, lines.size())) {
      if (line.equals("```")) {
        break;
      }
      addRooms(line, rooms);
    }
    return rooms;
  }

  private static void addRooms(String line, Map<String, Room> rooms) {
    int colon = line.lastIndexOf(" : ");
    String head = colon < 0 ? line : line.substring(0, colon);
    Set<String> packages = new TreeSet<>();
    if (colon >= 0) {
      packages.addAll(List.of(line.substring(colon + 3).strip().split(" ")));
    }
    int arrow = head.indexOf("-> ");
    List<String> uses =
        arrow < 0 ? List.of() : List.of(head.substring(arrow + 3).strip().split(", *"));
    for (String word : head.split(" +")) {
      if (word.endsWith("/")) {
        String path = word.substring(0, word.length() - 1);
        rooms.put(path, new Room(path, uses, packages));
      }
    }
  }

  /** That the room uses no other one than its arrow allows. */
  static ArchRule arrowOf(Room room) throws IOException {
    String[] allowed = allowedBy(room).map(name -> name + "..").toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(room.packageName() + "..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.tierwise..").and(resideOutsideOfPackages(allowed)));
  }

  /**
   * The same of a room whose classes are not on this module's class path.
   *
   * @return the names in its main sources that its arrow does not allow, each behind its file
   */
  static List<String> namesBeyondArrow(Room room) throws IOException {
    List<String> allowed = allowedBy(room).map(name -> name + ".").toList();
    Path sources = Repository.root().resolve(room.path()).resolve("src/main/java");
    List<String> beyond = new ArrayList<>();
    for (Path source : Repository.files(sources, path -> path.toString().endsWith(".java"))) {
      String code = TEXT.matcher(Files.readString(source)).replaceAll("");
      NAME.matcher(code)
          .results()
          .map(found -> found.group() + ".")
          .filter(name -> allowed.stream().noneMatch(name::startsWith))
          .map(name -> sources.relativize(source) + ": " + name)
          .forEach(beyond::add);
    }
    return beyond;
  }

  private static Stream<String> allowedBy(Room room) throws IOException {
    return Stream.concat(Stream.of(room), usedBy(room).values().stream()).map(Room::packageName);
  }

  /** The rooms that the arrow names, and all that those may use. */
  private static Map<String, Room> usedBy(Room room) throws IOException {
    Map<String, Room> all = rooms();
    Map<String, Room> used = new TreeMap<>();
    Deque<Room> open = new ArrayDeque<>(List.of(room));
    while (!open.isEmpty()) {
      for (String name : open.remove().arrow()) {
        for (Room each : all.values()) {
          if (names(name, each.path()) && used.put(each.path(), each) == null) {
            open.add(each);
          }
        }
      }
    }
    return used;
  }

  private static boolean names(String name, String path) {
    return name.equals("all")
        || (name.startsWith(ALL_BUT) && !path.equals(name.substring(ALL_BUT.length())))
        || path.equals(name)
        || path.startsWith(name + "/");
  }
}
