package io.tierwise.core.message;

/** Hears what long work has to tell while it goes on. Safe for many threads. */
public interface Listener {
  /** Tells nobody. */
  Listener SILENT =
      new Listener() {
        @Override
        public Step begin(String label, long total) {
          return Step.SILENT;
        }

        @Override
        public void say(String line) {}
      };

  /** A step whose end is known beforehand has begun; {@code total} is what {@code add} sums to. */
  Step begin(String label, long total);

  /** A line beside the answer: a warning, a hint, what was done. */
  void say(String line);

  /** One step of the work. */
  interface Step {
    /** Tells nobody. */
    Step SILENT =
        new Step() {
          @Override
          public void add(long amount) {}

          @Override
          public void finish(String remark) {}
        };

    void add(long amount);

    /** The step is over; the remark says what came of it. */
    void finish(String remark);
  }
}
