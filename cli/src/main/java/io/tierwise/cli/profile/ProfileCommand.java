package io.tierwise.cli.profile;

import picocli.CommandLine.Command;

/** The parent of the commands about profiles. */
@Command(
    name = "profile",
    description =
        "Learns what applications do, from history or by running them, and predicts runs.",
    subcommands = {
      ProfileImportCommand.class,
      ProfileRunCommand.class,
      ProfileSubmitCommand.class,
      ProfileShowCommand.class,
      ProfilePredictCommand.class
    })
public final class ProfileCommand {}
