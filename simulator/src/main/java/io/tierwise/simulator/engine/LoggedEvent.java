package io.tierwise.simulator.engine;

/** One event as it was handled: when, by whom, about what. */
public record LoggedEvent(long tick, int handler, long argument) {}
