package io.tierwise.policies.cost;

/** Checks of arguments; the message names the figure and its value. */
final class Require {
  private Require() {}

  static void notNegative(String name, double value) {
    if (!(value >= 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(
          name + " is " + value + ", must be finite and not negative");
    }
  }

  static void positive(String name, double value) {
    if (!(value > 0 && Double.isFinite(value))) {
      throw new IllegalArgumentException(name + " is " + value + ", must be finite and above 0");
    }
  }

  static void probability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(name + " is " + value + ", must be from 0 to 1");
    }
  }
}
