/** Parts of the commands about stored files that need no cluster. */
package io.tierwise.cli.file;
