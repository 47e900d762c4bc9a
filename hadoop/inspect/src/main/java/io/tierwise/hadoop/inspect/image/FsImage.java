package io.tierwise.hadoop.inspect.image;

import io.tierwise.hadoop.inspect.policy.PathPolicy;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockTypeProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ErasureCodingPolicyProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatPBINode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.ErasureCodingSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeReferenceSection.INodeReference;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.hdfs.server.namenode.SerialNumberManager;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;

/**
 * Reads an image from front to back, twice: inodes come in no order, so that directories must be
 * known before a file has a path. What a file's blocks, replicas and policies should be stands in
 * it; where they are does not.
 */
public final class FsImage {
  private static final String STORAGE_POLICY =
      BlockStoragePolicySuite.getStoragePolicyXAttrPrefixedName();

  /** Own: a file of 10 million blocks has a message of that order. */
  private static final int MESSAGE_BYTES_MAX = 1 << 29;

  /** Own: room for so many is made before they are read; damage may claim any count. */
  private static final int STRINGS_EXPECTED_MAX = 1 << 16;

  private final ImageSections sections;
  private final ImageDirectories directories = new ImageDirectories();
  private final Map<Integer, ErasureCodingPolicy> codings = new HashMap<>();
  private final ImageFile file = new ImageFile();
  private SerialNumberManager.StringTable strings = SerialNumberManager.newStringTable(0, 0);
  private IdIndex parents = new IdIndex(0);
  private byte[] message = new byte[1 << 12];
  private long files;
  private long snapshotFiles;
  private long snapshotBytes;

  private FsImage(ImageSections sections) {
    this.sections = sections;
  }

  /**
   * Reads an image.
   *
   * @param each is told each file that has a path
   * @throws io.tierwise.core.message.OperatorException one line that names the file and what is
   *     wrong with it
   */
  public static ImageCounts read(Path path, Consumer<ImageFile> each) throws IOException {
    FsImage image = new FsImage(ImageSections.open(path));
    image.readTables();
    image.readDirectories();
    image.readParents();
    image.readInodes(true, inode -> image.take(inode, each));
    return new ImageCounts(
        image.sections.layoutVersion(),
        image.files,
        image.directories.count(),
        image.snapshotFiles,
        image.snapshotBytes);
  }

  private void readTables() {
    sections.read(
        "STRING_TABLE",
        (in, first) -> {
          StringTableSection table = whole(StringTableSection.parseDelimitedFrom(in));
          strings =
              SerialNumberManager.newStringTable(
                  Math.min(table.getNumEntry(), STRINGS_EXPECTED_MAX), table.getMaskBits());
          for (int i = 0; i < table.getNumEntry(); i++) {
            StringTableSection.Entry entry = whole(StringTableSection.Entry.parseDelimitedFrom(in));
            strings.put(entry.getId(), entry.getStr());
          }
        });
    sections.read(
        "ERASURE_CODING",
        (in, first) -> {
          for (ErasureCodingPolicyProto policy :
              whole(ErasureCodingSection.parseDelimitedFrom(in)).getPoliciesList()) {
            codings.put(policy.getId(), PBHelperClient.convertErasureCodingPolicy(policy));
          }
        });
  }

  private static <M> M whole(M read) throws EOFException {
    if (read == null) {
      throw new EOFException("it ends too early");
    }
    return read;
  }

  /** Makes room for all inodes afterwards, when it is known that they are there. */
  private void readDirectories() {
    long inodes =
        readInodes(
            false,
            inode -> {
              if (inode.getType() != INode.Type.DIRECTORY) {
                return;
              }
              int policy = 0;
              String placement = null;
              if (inode.getDirectory().hasXAttrs()) {
                List<XAttr> attributes =
                    FSImageFormatPBINode.Loader.loadXAttrs(
                        inode.getDirectory().getXAttrs(), strings);
                byte[] stored = value(attributes, STORAGE_POLICY);
                policy = stored == null || stored.length == 0 ? 0 : stored[0];
                placement = placement(attributes);
              }
              directories.add(inode.getId(), inode.getName().toByteArray(), policy, placement);
            });
    parents = new IdIndex(inodes);
  }

  private static byte[] value(List<XAttr> attributes, String name) {
    for (XAttr attribute : attributes) {
      if (XAttrHelper.getPrefixedName(attribute).equals(name)) {
        return attribute.getValue();
      }
    }
    return null;
  }

  private static String placement(List<XAttr> attributes) {
    byte[] value = value(attributes, PathPolicy.PLACEMENT_ATTRIBUTE);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  private void readParents() {
    List<Long> referred = new ArrayList<>();
    sections.read(
        "INODE_REFERENCE",
        (in, first) -> {
          INodeReference reference = INodeReference.parseDelimitedFrom(in);
          while (reference != null) {
            referred.add(reference.getReferredId());
            reference = INodeReference.parseDelimitedFrom(in);
          }
        });
    sections.read(
        "INODE_DIR",
        (in, first) -> {
          DirEntry entry = DirEntry.parseDelimitedFrom(in);
          while (entry != null) {
            int parent = directories.number(entry.getParent());
            for (int i = 0; i < entry.getChildrenCount(); i++) {
              hang(entry.getChildren(i), parent);
            }
            for (int reference : entry.getRefChildrenList()) {
              if (reference < 0 || reference >= referred.size()) {
                throw new IOException("reference " + reference + " of " + referred.size());
              }
              hang(referred.get(reference), parent);
            }
            entry = DirEntry.parseDelimitedFrom(in);
          }
        });
  }

  private void hang(long child, int parent) {
    int directory = directories.number(child);
    if (directory != ImageDirectories.NONE) {
      directories.parent(directory, parent);
    } else if (!parents.put(child, parent)) {
      throw new IllegalArgumentException("more children than inodes");
    }
  }

  private void take(INode inode, Consumer<ImageFile> each) {
    if (inode.getType() != INode.Type.FILE) {
      return;
    }
    INodeFile stored = inode.getFile();
    long bytes = 0;
    file.clearBlocks();
    for (int i = 0; i < stored.getBlocksCount(); i++) {
      BlockProto block = stored.getBlocks(i);
      bytes += block.getNumBytes();
      file.addBlock(block.getBlockId(), block.getNumBytes());
    }
    int parent = parents.get(inode.getId());
    if (parent == ImageDirectories.NONE || !directories.reachesRoot(parent)) {
      snapshotFiles++;
      snapshotBytes += bytes;
      return;
    }
    files++;
    directories.join(parent, inode.getName().toByteArray());
    file.set(directories.bytes(), directories.from(), directories.bytes().length);
    file.set(bytes, stored.getAccessTime(), stored.getModificationTime());
    String own =
        stored.hasXAttrs()
            ? placement(FSImageFormatPBINode.Loader.loadXAttrs(stored.getXAttrs(), strings))
            : null;
    boolean striped = stored.getBlockType() == BlockTypeProto.STRIPED;
    int policy =
        stored.getStoragePolicyID() != 0 ? stored.getStoragePolicyID() : directories.policy(parent);
    file.set(
        striped && !suitsStriped(policy) ? 0 : policy,
        own != null ? own : directories.placement(parent));
    if (striped) {
      file.striped(stripedBytes(stored));
    } else {
      file.replicated(stored.getReplication());
    }
    each.accept(file);
  }

  /** HDFS takes its default policy where another does not suit erasure-coded files. */
  private static boolean suitsStriped(int policy) {
    return ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode((byte) policy);
  }

  /** Bytes stored of an erasure-coded file: parity is as long as the first cell of a stripe. */
  private long stripedBytes(INodeFile stored) {
    int coding = stored.getErasureCodingPolicyID();
    ErasureCodingPolicy policy = codings.get(coding);
    if (policy == null) {
      policy = SystemErasureCodingPolicies.getByID((byte) coding);
    }
    long bytes = 0;
    for (int i = 0; i < stored.getBlocksCount(); i++) {
      long length = stored.getBlocks(i).getNumBytes();
      bytes +=
          policy == null
              ? length
              : StripedBlockUtil.spaceConsumedByStripedBlock(
                  length,
                  policy.getNumDataUnits(),
                  policy.getNumParityUnits(),
                  policy.getCellSize());
    }
    return bytes;
  }

  /**
   * Reads all inodes.
   *
   * @param withFiles whether to read files, too: otherwise their messages are skipped
   * @return how many there are
   */
  private long readInodes(boolean withFiles, Consumer<INode> each) {
    long[] expectedAndRead = new long[2];
    sections.read(
        "INODE",
        (in, first) -> {
          if (first) {
            expectedAndRead[0] = whole(INodeSection.parseDelimitedFrom(in)).getNumInodes();
          }
          int length = nextMessage(in);
          while (length >= 0) {
            expectedAndRead[1]++;
            if (withFiles || !isFile()) {
              each.accept(INode.parser().parseFrom(message, 0, length));
            }
            length = nextMessage(in);
          }
        });
    if (expectedAndRead[0] != expectedAndRead[1]) {
      throw sections.damaged(
          "INODE",
          new EOFException(expectedAndRead[1] + " of " + expectedAndRead[0] + " inodes are there"));
    }
    return expectedAndRead[1];
  }

  /** A message begins with its field 1, the type, as Hadoop writes it. */
  private boolean isFile() {
    return message[0] == 1 << 3 && message[1] == INode.Type.FILE_VALUE;
  }

  /** Reads a message; -1 at the end. Room is made for what is there, not for what damage claims. */
  private int nextMessage(InputStream in) throws IOException {
    int begin = in.read();
    if (begin < 0) {
      return -1;
    }
    int length = CodedInputStream.readRawVarint32(begin, in);
    if (length < 2 || length > MESSAGE_BYTES_MAX) {
      throw new IOException("an inode of " + length + " bytes");
    }
    int have = in.readNBytes(message, 0, Math.min(length, message.length));
    while (have == message.length && have < length) {
      message = Arrays.copyOf(message, Math.min(length, 2 * message.length));
      have += in.readNBytes(message, have, message.length - have);
    }
    if (have < length) {
      throw new EOFException("it ends in the middle of an inode");
    }
    return length;
  }
}
