/**
 * The audit logs of NameNodes, read from their files: whole ones in the order of their rotation,
 * those that still grow, and those of several NameNodes as one history; and the client traces in
 * the logs of DataNodes, which have bytes.
 *
 * <p>A line is parsed where it lies, as bytes: no text is made of it. Not here: what the NameNode
 * itself is asked or told (the plug-in's feed needs no log), and counting ({@code policies/heat}).
 * Start reading at {@link io.tierwise.hadoop.inspect.audit.AuditLine}.
 */
package io.tierwise.hadoop.inspect.audit;
