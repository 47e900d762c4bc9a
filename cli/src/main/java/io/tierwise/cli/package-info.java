/**
 * The {@code tierwise} command: parses the command line, asks a room ({@code experiments}, {@code
 * lab}, those under {@code hadoop}), prints its answer. Not here: decisions, which live in {@code
 * policies}, calls of an engine, and anything that a daemon would need, too. Start reading at
 * {@link io.tierwise.cli.TierwiseCommand}.
 */
package io.tierwise.cli;
