/**
 * Plug-ins for the unmodified NodeManager of YARN. The jar needs nothing but what is on its class
 * path already.
 */
package io.tierwise.hadoop.yarn;
