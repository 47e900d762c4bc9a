package io.tierwise.simulator.report;

import java.util.List;

/** Colours that are told apart by most eyes. Source: Okabe and Ito, Color Universal Design. */
final class Palette {
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999");

  private Palette() {}

  static String colour(int index) {
    return COLOURS.get(index % COLOURS.size());
  }
}
