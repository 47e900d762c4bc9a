/**
 * Scenario files: YAML text to a {@link io.tierwise.simulator.scenario.Scenario} and back.
 *
 * <p>All keys, their units, ranges and defaults stand in one table, {@link
 * io.tierwise.simulator.scenario.yaml.ScenarioKeys}; the reader, the reference page and the JSON
 * Schema are made from it. A file is hostile input: its size, depth and aliases are bounded, and
 * every mistake is one line with file, line, key path, value and what is allowed. Start reading at
 * {@link io.tierwise.simulator.scenario.yaml.ScenarioFiles}.
 */
package io.tierwise.simulator.scenario.yaml;
