/**
 * Times estimates from the profiles of applications ({@link
 * io.tierwise.benchmarks.profiles.LookupBench}).
 *
 * <p>Not here: how good they are.
 */
package io.tierwise.benchmarks.profiles;
