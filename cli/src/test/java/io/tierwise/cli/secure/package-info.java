/**
 * The commands, plug-ins and clients on a cluster that asks for Kerberos, on Hadoop's own small key
 * distribution center. Start reading at {@link io.tierwise.cli.secure.SecureHdfs}.
 */
package io.tierwise.cli.secure;
