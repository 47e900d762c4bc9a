/**
 * {@code tierwise doctor}: prints what is found wrong with a real cluster's configuration and
 * state.
 *
 * <p>Not here: the checks, which are {@code hadoop/inspect}'s. Start reading at {@link
 * io.tierwise.cli.doctor.DoctorCommand}.
 */
package io.tierwise.cli.doctor;
