package io.tierwise.hadoop.conformance;

import java.nio.file.Path;

/**
 * The difference of our side from stock.
 *
 * @param jar last on the class path
 * @param optIn whether the plug-ins that few clusters need are configured, too
 */
record Plugins(Path jar, boolean optIn) {}
