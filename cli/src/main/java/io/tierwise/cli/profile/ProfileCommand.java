package io.tierwise.cli.profile;

import picocli.CommandLine.Command;

/** The parent of the commands about profiles. */
@Command(
    name = "profile",
    description = "Learns from history what applications do, and predicts runs.",
    subcommands = {
      ProfileImportCommand.class,
      ProfileShowCommand.class,
      ProfilePredictCommand.class
    })
public final class ProfileCommand {}
