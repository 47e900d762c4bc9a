/**
 * The audit log of a NameNode, read from its files: whole ones in the order of their rotation, or
 * one that still grows.
 *
 * <p>A line is parsed where it lies, as bytes: no text is made of it. Not here: what the NameNode
 * itself is asked or told (the plug-in's feed needs no log), and counting ({@code policies/heat}).
 * Start reading at {@link io.tierwise.hadoop.inspect.audit.AuditLine}.
 */
package io.tierwise.hadoop.inspect.audit;
