package io.tierwise.lab;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process and not merely its id, which the kernel gives anew to others: id and start time
 * together.
 *
 * @param pid process id
 * @param startTicks start time in clock ticks since the machine started, as in /proc/PID/stat
 */
public record ProcessIdentity(long pid, long startTicks) {
  /** The process that has this id now. */
  public static Optional<ProcessIdentity> of(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The command's name, in parentheses, may hold blanks: the fields are counted from its end.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      boolean dead = fields[0].equals("Z") || fields[0].equals("X");
      return dead
          ? Optional.empty()
          : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[19])));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  @JsonIgnore
  public boolean isAlive() {
    return of(pid).equals(Optional.of(this));
  }
}
