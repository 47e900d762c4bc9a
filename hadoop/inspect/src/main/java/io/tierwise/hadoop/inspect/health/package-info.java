/**
 * Checks of a cluster's configuration and state, each with an advice. A check that cannot be made
 * is a finding of its own, never an "ok".
 *
 * <p>Not here: repair. Start reading at {@link io.tierwise.hadoop.inspect.health.HealthCheck}.
 */
package io.tierwise.hadoop.inspect.health;
