/**
 * How commands print: tables for people, JSON for programs.
 *
 * <p>Not here: what is printed. Start reading at {@link io.tierwise.cli.output.Output}.
 */
package io.tierwise.cli.output;
