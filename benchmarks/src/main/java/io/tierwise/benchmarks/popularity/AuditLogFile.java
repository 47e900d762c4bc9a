package io.tierwise.benchmarks.popularity;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * An audit log as a busy NameNode writes it: of 20 lines 9 are opens, 4 look-ups, 3 listings, 2
 * creations, a rename and a deletion, 1,000 a second; by 500 clients. Every tenth file is read
 * again and again: the exponent of the files' popularity is about 1.
 */
final class AuditLogFile {
  private static final String[] COMMANDS = {
    "open", "getfileinfo", "open", "listStatus", "open", "create", "open", "getfileinfo", "open",
    "rename", "open", "getfileinfo", "open", "listStatus", "open", "create", "open", "getfileinfo",
    "listStatus", "delete"
  };
  private static final int CLIENTS = 500;
  private static final long FILES = 2_000_000;

  private AuditLogFile() {}

  static long write(Path file, int lines) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    byte[] path = new byte[WarehousePaths.LENGTH];
    byte[] end = ascii("\tperm=null\tproto=rpc\n");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
      for (int i = 0; i < lines; i++) {
        int second = i / 1_000;
        String command = COMMANDS[i % COMMANDS.length];
        int client = random.nextInt(CLIENTS);
        out.write(
            ascii(
                String.format(
                    Locale.ROOT,
                    "2026-03-24 %02d:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=user%d"
                        + " (auth:SIMPLE)\tip=/10.0.%d.%d\tcmd=%s\tsrc=",
                    second / 3_600,
                    second / 60 % 60,
                    second % 60,
                    i % 1_000,
                    client % 40,
                    client / 200,
                    client % 200,
                    command)));
        WarehousePaths.write(popular(random), path, 0);
        out.write(path);
        out.write(ascii("\tdst="));
        if (command.equals("rename")) {
          WarehousePaths.write(FILES + i, path, 0);
          out.write(path);
        } else {
          out.write(ascii("null"));
        }
        out.write(end);
      }
    }
    return Files.size(file);
  }

  /** Of n files the k-th is chosen in proportion to 1 / k. */
  private static long popular(SplittableRandom random) {
    return (long) Math.pow(FILES, random.nextDouble());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
