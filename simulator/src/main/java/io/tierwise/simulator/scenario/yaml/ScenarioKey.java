package io.tierwise.simulator.scenario.yaml;

/**
 * One key of a section.
 *
 * @param fallback default as one would write it; empty: nothing; null: the key must be given
 */
record ScenarioKey(String name, ValueKind kind, String fallback, String meaning) {}
