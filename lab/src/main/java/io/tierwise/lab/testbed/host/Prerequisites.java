package io.tierwise.lab.testbed.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Prerequisites of a testbed on a machine, and the messages where one is missing. */
public final class Prerequisites {
  /** Each tool and the Debian package that has it. */
  private static final Map<String, String> TOOLS = new LinkedHashMap<>();

  static {
    TOOLS.put("ip", "iproute2");
    TOOLS.put("tc", "iproute2");
    TOOLS.put("mkfs.ext4", "e2fsprogs");
    TOOLS.put("losetup", "mount");
    TOOLS.put("nsenter", "util-linux");
    TOOLS.put("unshare", "util-linux");
    TOOLS.put("setsid", "util-linux");
    TOOLS.put("mount", "mount");
    TOOLS.put("hostname", "hostname");
    TOOLS.put("bash", "bash");
  }

  private Prerequisites() {}

  /** Why this machine can have no testbed, in one line; empty when it can. */
  public static Optional<String> obstacle() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of(
          "a testbed needs Linux (network namespaces, loop devices, cgroups); this is "
              + System.getProperty("os.name"));
    }
    if (!isRoot()) {
      return Optional.of(
          "a testbed needs root (it makes network namespaces and loop devices): use sudo");
    }
    TreeSet<String> missing = new TreeSet<>();
    TreeSet<String> packages = new TreeSet<>();
    TOOLS.forEach(
        (tool, packageName) -> {
          if (HostCommand.find(tool).isEmpty()) {
            missing.add(tool);
            packages.add(packageName);
          }
        });
    if (!missing.isEmpty()) {
      return Optional.of(
          "a testbed needs "
              + String.join(", ", missing)
              + ": install the packages "
              + String.join(", ", packages)
              + " (on Debian: apt-get install "
              + String.join(" ", packages)
              + ")");
    }
    if (IoLimits.controller().isEmpty()) {
      return Optional.of(
          "a testbed needs the blkio controller of cgroup v1 with throttling, which is not mounted:"
              + " mount -t cgroup -o blkio cgroup DIR, or boot with"
              + " systemd.unified_cgroup_hierarchy=0");
    }
    return Optional.empty();
  }

  private static boolean isRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (java.io.IOException | UnsupportedOperationException e) {
      return false;
    }
  }
}
