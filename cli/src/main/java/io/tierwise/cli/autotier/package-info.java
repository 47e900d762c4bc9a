/**
 * {@code tierwise autotier}: lets replicas of files follow their popularity.
 *
 * <p>Not here: the daemon, which is {@link io.tierwise.hadoop.autotier.Autotier}.
 */
package io.tierwise.cli.autotier;
