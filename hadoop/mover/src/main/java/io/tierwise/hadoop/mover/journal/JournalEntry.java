package io.tierwise.hadoop.mover.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tierwise.core.action.SetReplicas;
import java.util.List;

/** The contents of one line of a run's journal. Absent values are null. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JournalEntry.Begin.class, name = "begin"),
  @JsonSubTypes.Type(value = JournalEntry.Moving.class, name = "move"),
  @JsonSubTypes.Type(value = JournalEntry.Policy.class, name = "policy"),
  @JsonSubTypes.Type(value = JournalEntry.Access.class, name = "access"),
  @JsonSubTypes.Type(value = JournalEntry.Replicas.class, name = "replicas"),
  @JsonSubTypes.Type(value = JournalEntry.Store.class, name = "store"),
  @JsonSubTypes.Type(value = JournalEntry.StoragePolicy.class, name = "storage-policy"),
  @JsonSubTypes.Type(value = JournalEntry.Result.class, name = "result"),
  @JsonSubTypes.Type(value = JournalEntry.End.class, name = "end")
})
public sealed interface JournalEntry {
  /**
   * The first line.
   *
   * @param command that was given, for example {@code file move}
   * @param to what was asked for, as a person wrote it
   * @param undoes the id of the run that this one takes back
   */
  record Begin(
      String id,
      String command,
      String user,
      String cluster,
      List<String> paths,
      String to,
      String undoes)
      implements JournalEntry {
    public Begin {
      paths = List.copyOf(paths);
    }
  }

  /**
   * A replica's move, decided and about to start.
   *
   * @param file its path then
   * @param fileBytes the file's length then
   * @param inForce the policy that the file was under
   * @param source the node whose replica is read
   * @param policy that decided
   * @param rule of it, a sentence
   * @param costSeconds on two devices that do nothing else
   */
  record Moving(
      String file,
      long fileId,
      long fileBytes,
      String inForce,
      int block,
      long blockId,
      long bytes,
      Place from,
      String source,
      Place to,
      String policy,
      String rule,
      long costNetworkBytes,
      Double costSeconds)
      implements JournalEntry {}

  /**
   * A volume by its names.
   *
   * @param node for people
   * @param tier null for a volume in none
   */
  record Place(
      String node, String nodeId, String storageId, String type, String tier, String region) {
    /** For people. */
    public String text() {
      return (tier == null ? "no tier" : tier) + "@" + node;
    }
  }

  /** The policy that stands on a path itself is about to change; null is none. */
  record Policy(String path, long fileId, String before, String after) implements JournalEntry {}

  /** The access strategy that stands on a path itself is about to change; null is none. */
  record Access(String path, long fileId, String before, String after) implements JournalEntry {}

  /**
   * A file's number of replicas is about to change.
   *
   * @param policy that decided; null in journals of earlier versions
   * @param rule of it, a sentence; null likewise
   */
  record Replicas(String file, long fileId, int before, int after, String policy, String rule)
      implements JournalEntry {
    /** The change that somebody asks for. */
    public static Replicas of(String file, long fileId, int before, SetReplicas asked) {
      return new Replicas(file, fileId, before, asked.replicas(), asked.policy(), asked.rule());
    }
  }

  /**
   * A file's bytes are about to be moved or copied between HDFS and a secondary store.
   *
   * @param fileId before; a file that is moved gets another
   * @param before {@code hdfs} or {@code secondary}
   * @param after {@code both}, too
   * @param store the URI of the store
   */
  record Store(String file, long fileId, long bytes, String before, String after, String store)
      implements JournalEntry {}

  /** HDFS's storage policy in force for a file is about to change. */
  record StoragePolicy(String file, long fileId, String before, String after)
      implements JournalEntry {}

  /**
   * The result of an earlier line.
   *
   * @param of the line's number
   * @param reason why it was not done; null when it was
   */
  record Result(long of, String reason) implements JournalEntry {}

  /**
   * The last line.
   *
   * @param done moves and changes that were made
   * @param left what stayed where it should not be, by reason
   */
  record End(long done, long bytes, List<Left> left, boolean stopped) implements JournalEntry {
    public End {
      left = List.copyOf(left);
    }

    /** Whether all was done. */
    public boolean complete() {
      return left.isEmpty() && !stopped;
    }
  }

  /** Replicas that stay, and why. */
  record Left(String reason, boolean fault, long replicas, long bytes, String example) {}
}
