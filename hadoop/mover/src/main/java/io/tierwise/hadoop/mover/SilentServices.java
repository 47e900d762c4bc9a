package io.tierwise.hadoop.mover;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Says which other name services do not tell whether a mover runs there: each once, and once when
 * it tells again. Else a daemon would say it in each round.
 */
final class SilentServices {
  private final Consumer<String> say;
  private final Set<URI> said = new LinkedHashSet<>();

  SilentServices(Consumer<String> say) {
    this.say = say;
  }

  /** Says what is new since the last time. */
  void say(List<OtherNameService.Silent> silent) {
    List<OtherNameService.Silent> news =
        silent.stream().filter(one -> said.add(one.service())).toList();
    if (!news.isEmpty()) {
      say.accept(OtherMovers.line(news));
    }
    List<URI> still = silent.stream().map(OtherNameService.Silent::service).toList();
    said.removeIf(
        service -> {
          boolean again = !still.contains(service);
          if (again) {
            say.accept(service + " says again whether a mover runs there");
          }
          return again;
        });
  }
}
