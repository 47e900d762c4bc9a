/**
 * {@code tierwise heat}: how often files, directories and tables were read, by an audit log or by
 * what a NameNode counts.
 */
package io.tierwise.cli.heat;
