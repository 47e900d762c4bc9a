/** {@code tierwise heat}: how often files, directories and tables were read, by an audit log. */
package io.tierwise.cli.heat;
