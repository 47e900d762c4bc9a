/**
 * Plug-ins for the unmodified NodeManager of YARN: intermediate data goes to the tier that an
 * application asks for. The jar needs nothing but what is on its class path already. Not here: a
 * scheduler, and the choice of the tier. Start reading at {@link
 * io.tierwise.hadoop.yarn.LocalDirectories}.
 */
package io.tierwise.hadoop.yarn;
