/**
 * The {@code tierwise} command: parses the command line, asks the adapters, prints what they
 * answer. It is not a place for decisions, which live in {@code policies}, nor for talking to an
 * engine, which is what the adapters under {@code hadoop} do. Start reading at {@link
 * io.tierwise.cli.TierwiseCommand}.
 */
package io.tierwise.cli;
