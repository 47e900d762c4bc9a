package io.tierwise.profiles.popularity;

import io.tierwise.policies.popularity.UseWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Windows of an hour. Of 60 files a third are read in every second window, a third now and then,
 * and a third never again.
 */
final class MadeWindows {
  static final double HOUR = 3600;
  static final int FILES = 60;

  private MadeWindows() {}

  static List<UseWindow> drawn(int seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<UseWindow> windows = new ArrayList<>();
    for (int index = 0; index < count; index++) {
      UseWindow window = new UseWindow(FILES);
      window.begin(index * HOUR, (index + 1) * HOUR);
      for (int file = 0; file < FILES; file++) {
        window.keep(file, 1 + file % 5);
        boolean isRead =
            switch (file % 3) {
              case 0 -> index % 2 == file / 3 % 2;
              case 1 -> random.nextInt(5) == 0;
              default -> index == 0;
            };
        if (isRead) {
          window.read(file, window.startSeconds() + random.nextInt(3600), 1);
        }
      }
      windows.add(window);
    }
    return windows;
  }
}
