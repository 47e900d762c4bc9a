/**
 * {@code tierwise autotier}: lets replicas of files follow their popularity.
 *
 * <p>Not here: the daemon, which is {@link io.tierwise.hadoop.autotier.Autotier}. Start reading at
 * {@link io.tierwise.cli.autotier.AutotierCommand}.
 */
package io.tierwise.cli.autotier;
