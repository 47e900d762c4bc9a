/**
 * {@code tierwise heat}: how often files, directories and tables were read, by an audit log or by
 * what a NameNode counts. Not here: the counting ({@code policies/heat}). Start reading at {@link
 * io.tierwise.cli.heat.HeatCommand}.
 */
package io.tierwise.cli.heat;
