/**
 * The commands about stored files: where their bytes are, moving them, the journal of moves, and
 * undo.
 *
 * <p>Not here: the moving ({@link io.tierwise.hadoop.mover}). Start reading at {@link
 * io.tierwise.cli.file.FileCommand}.
 */
package io.tierwise.cli.file;
