//! Known mistakes that the crash suite must notice.
//!
//! Each stands at the place in the code where it could be made. Without the feature `planted-bugs` the question whether
//! one is switched on is a constant, and the compiler removes it. Barriers that are forgotten and errors that are hidden look the same from below:
//! these stand in a layer of the medium, in the suite itself (`tests/suite/lying.rs`).

/// A mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Bug {
    /// Items are written without waiting for the data.
    NoBarrierBeforeItems,
    /// A commit is acknowledged before its items are durable.
    NoBarrierAfterItems,
    /// A write goes to the slot that holds the acknowledged copy.
    OverwriteInPlace,
    /// A flush is acknowledged without a commit.
    FlushWithoutCommit,
    /// Slots are cleared although the disk was not flushed.
    NoDiskFlush,
    /// Slots are cleared before the disk is written.
    ClearBeforeDiskWrite,
    /// A flush error of the disk is ignored.
    IgnoreDiskFlushError,
    /// A slot is given out again before its clearing is durable.
    ReuseBeforeClear,
    /// The newest copy of a block is cleared together with older ones.
    ClearOldAndNewTogether,
    /// Superseded copies are never cleared.
    ForgetSuperseded,
    /// The end of a destage drops blocks that were written again meanwhile.
    DropRewrittenWhileDestaging,
    /// A slot is reused while a destage still reads it.
    ReuseWhileDestaging,
    /// A partial write forgets the sectors that were cached before.
    PartialWriteForgetsSectors,
    /// A destage writes whole blocks although only some sectors are cached.
    DestageWholeBlocks,
    /// Data is returned without comparing its checksum.
    NoDataChecksum,
    /// A destage writes data without comparing its checksum.
    NoChecksumWhenDestaging,
    /// Recovery trusts items without comparing their checksums.
    NoItemChecksum,
    /// Recovery drops damaged items without a word.
    DropDamagedItems,
    /// Recovery prefers the older copy of a block.
    OldestCopyWins,
    /// Recovery leaves superseded copies where they are.
    RecoveryKeepsSuperseded,
    /// Recovery starts its sequence numbers at the beginning.
    SequenceStartsAnew,
    /// Recovery works on what it reads without making it durable first.
    RecoveryWithoutBarrier,
    /// Recovery takes every block for whole.
    RecoveryIgnoresMask,
    /// A cache takes any disk of the right size.
    AnyDisk,
    /// An older copy of a cache is taken for the newest.
    AnyCopy,
    /// Detaching frees the disk before everything is on it.
    DetachWithoutDrain,
    /// Zeroing drops cached copies and writes nothing in their place.
    ZeroingDropsCopies,
    /// A destage leaves out blocks of zeros.
    DestageSkipsZeros,
    /// Recovery takes what is in the slot for a block of zeros.
    RecoveryIgnoresZeros,
    /// A flush does not flush the disk after part of it was zeroed.
    ZeroedDiskNotFlushed,
    /// A flush after zeroing leaves items that could bring destaged blocks back.
    ZeroedBlocksComeBack,
    /// The cache medium grows with blocks in it.
    GrowWithoutDrain,
    /// Growth leaves old data where new items are looked for.
    GrowKeepsOldBytes,
    /// A larger disk gets its label only after the cache relies on it.
    GrowLabelsLast,
    /// Mode ordered drops a copy when a newer one is durable.
    OrderedDropsOldCopies,
    /// Blocks leave the cache that a batch did not come to.
    EndedBatchDropsTheRest,
    /// Mode ordered writes two epochs to the disk at once.
    OrderedMergesEpochs,
    /// Mode ordered begins with the newest epoch.
    OrderedNewestFirst,
    /// A flush of more blocks than one commit takes is acknowledged after the first.
    LargeFlushCutShort,
    /// Mode ordered leaves an epoch for later.
    OrderedSkipsEpoch,
    /// Mode ordered does not flush the disk between two epochs.
    OrderedRoundsNotFlushed,
    /// Mode ordered clears two versions of a block together.
    OrderedRoundsShareBlocks,
    /// Mode ordered writes an epoch while items of the last one are still there.
    OrderedBeforeClearing,
    /// Mode ordered takes blocks over that were cached without an order.
    OrderedWithoutDrain,
    /// Mode ordered passes a damaged copy over, and the disk goes on saying that it is in order.
    OrderedAfterDamage,
    /// Opening a pair closes the gap that a damaged copy left.
    OrderedGapForgotten,
    /// The cache gives single blocks up when its medium reads nothing any more.
    DeadMediumGivenUp,
    /// A block is as old as its last write.
    AgeOfLastWrite,
    /// A block that was written while the disk took it stays as old as before.
    AgeNotRenewed,
    /// A write leaves the clean copy of its block.
    CleanSurvivesWrite,
    /// A trim, or zeroing on the disk itself, leaves clean copies.
    CleanSurvivesTrim,
    /// A read keeps what the disk gave although the block was written meanwhile.
    CleanKeptAfterWrite,
    /// A read keeps what the disk gave while it was being zeroed.
    CleanKeptWhileZeroing,
    /// What a read gets from the disk while its block is being written past the cache is kept as a clean copy.
    CleanKeptWhileWritten,
    /// A slot is given out although a request still reads it.
    ReuseWhileReading,
    /// A clean copy is returned without comparing its checksum.
    CleanNotVerified,
    /// A read of a part of a block keeps it as a whole one.
    CleanKeepsParts,
    /// A write does not get the slots of clean copies.
    CleanBeforeDirty,
    /// A block refers to its new slot before the data is there.
    PublishBeforeData,
    /// Two writes of a block are under way at the same time.
    WritesShareBlock,
    /// A range is zeroed while one of its blocks is being written.
    ZeroingPassesWrites,
    /// A flush is content with a commit that was under way already.
    FlushJoinsRunningCommit,
    /// A write past the cache leaves the dirty copy of its block.
    BypassPassesDirty,
    /// A flush does not flush the disk after a write past the cache.
    BypassNotFlushed,
    /// Mode strict acknowledges a write past the cache without a flush of the disk.
    BypassStrictNotFlushed,
    /// Mode ordered writes past a cache that has blocks which the disk lacks.
    BypassOutOfOrder,
    /// A write past the cache leaves the clean copy of its block.
    BypassKeepsClean,
    /// A write past the cache that the disk refused is taken for done.
    BypassErrorSwallowed,
    /// A flush succeeds although the disk may have dropped, at an earlier flush that failed, what was written past the cache.
    BypassForgetsFailedFlush,
    /// A block may be written again, and destaged, while a write past the cache is under way.
    BypassUnmarked,
    /// Those who wait for the end of something are not counted, so that nobody wakes them.
    WaitersNotCounted,
    /// The first of several reads of a slot that ends gives it away.
    HoldsNotCounted,
    /// Superblock and label are not synced.
    NoBarrierAfterRecords,
    /// A disk that is released forgets from which cache.
    ReleaseForgetsTheLost,
    /// One of two copies of the label says that the disk was released.
    ReleaseOneCopy,
    /// One of two copies of the label says that the disk was detached.
    DetachOneCopy,
    /// A repair restores the superblock and leaves the label.
    RepairCacheOnly,
    /// A label that is lost is made anew on a disk of another size.
    LabelOfAnySize,
    /// A slot that held a block of zeros holds one whatever is written to it.
    FillKeepsZeros,
    /// A slot that a commit has taken up counts as free of items.
    CommitKeepsUntaken,
    /// A copy that was superseded while the disk took it is never cleared.
    ParkedForgotten,
    /// A copy that was overwritten before a commit keeps its slot.
    UnstagedNotFreed,
    /// A write of several blocks keeps only the first to itself.
    FirstBlockMarkedOnly,
    /// A zeroing that had nothing for the disk ends another that zeroes it.
    ZeroingEndsAnother,
    /// A flush covers nothing of a zeroing of the disk that failed in the middle.
    FailedZeroingNotFlushed,
    /// Recovery ends with the first items that it reads at once.
    RecoveryStopsEarly,
    /// Once none of the blocks could go, none is due any more, whatever is written.
    ExhaustedForGood,
    /// A gap in the order is noted in one copy of the label.
    GapInOneCopy,
    /// An opening does not say on the cache that the disk has its label.
    LabelWrittenUnsaid,
    /// A label that is made anew says that the disk alone is in order, whatever the lost one said.
    LostGapForgotten,
    /// A note of what the disk lacks takes blocks from before the opening for as young as it.
    NoteForgetsTheRecovered,
    /// A failed write of the label leaves writes past the cache undoubted.
    FailedNoteDoubtsNothing,
    /// A lost cache whose items cannot be read counts as one without blocks.
    UnreadableItemsAreNone,
}

impl Bug {
    /// Mistakes that only threads can make: for schedules.
    pub const OF_THREADS: [Self; 9] = [
        Self::ReuseWhileReading,
        Self::PublishBeforeData,
        Self::WritesShareBlock,
        Self::ZeroingPassesWrites,
        Self::FlushJoinsRunningCommit,
        Self::BypassUnmarked,
        Self::WaitersNotCounted,
        Self::HoldsNotCounted,
        Self::FirstBlockMarkedOnly,
    ];

    /// Every other mistake, and those that show with one thread, too.
    pub const ALL: [Self; 85] = [
        Self::NoBarrierBeforeItems,
        Self::NoBarrierAfterItems,
        Self::OverwriteInPlace,
        Self::FlushWithoutCommit,
        Self::NoDiskFlush,
        Self::ClearBeforeDiskWrite,
        Self::IgnoreDiskFlushError,
        Self::ReuseBeforeClear,
        Self::ClearOldAndNewTogether,
        Self::ForgetSuperseded,
        Self::DropRewrittenWhileDestaging,
        Self::ReuseWhileDestaging,
        Self::PartialWriteForgetsSectors,
        Self::DestageWholeBlocks,
        Self::NoDataChecksum,
        Self::NoChecksumWhenDestaging,
        Self::NoItemChecksum,
        Self::DropDamagedItems,
        Self::OldestCopyWins,
        Self::RecoveryKeepsSuperseded,
        Self::SequenceStartsAnew,
        Self::RecoveryWithoutBarrier,
        Self::RecoveryIgnoresMask,
        Self::AnyDisk,
        Self::AnyCopy,
        Self::DetachWithoutDrain,
        Self::ZeroingDropsCopies,
        Self::DestageSkipsZeros,
        Self::RecoveryIgnoresZeros,
        Self::ZeroedDiskNotFlushed,
        Self::ZeroedBlocksComeBack,
        Self::GrowWithoutDrain,
        Self::GrowKeepsOldBytes,
        Self::GrowLabelsLast,
        Self::OrderedDropsOldCopies,
        Self::EndedBatchDropsTheRest,
        Self::OrderedMergesEpochs,
        Self::OrderedNewestFirst,
        Self::LargeFlushCutShort,
        Self::OrderedSkipsEpoch,
        Self::OrderedRoundsNotFlushed,
        Self::OrderedRoundsShareBlocks,
        Self::OrderedBeforeClearing,
        Self::OrderedWithoutDrain,
        Self::OrderedAfterDamage,
        Self::OrderedGapForgotten,
        Self::DeadMediumGivenUp,
        Self::AgeOfLastWrite,
        Self::AgeNotRenewed,
        Self::CleanSurvivesWrite,
        Self::CleanSurvivesTrim,
        Self::CleanKeptAfterWrite,
        Self::CleanKeptWhileZeroing,
        Self::CleanKeptWhileWritten,
        Self::ReuseWhileReading,
        Self::CleanNotVerified,
        Self::CleanKeepsParts,
        Self::CleanBeforeDirty,
        Self::BypassPassesDirty,
        Self::BypassNotFlushed,
        Self::BypassStrictNotFlushed,
        Self::BypassOutOfOrder,
        Self::BypassKeepsClean,
        Self::BypassErrorSwallowed,
        Self::BypassForgetsFailedFlush,
        Self::NoBarrierAfterRecords,
        Self::ReleaseForgetsTheLost,
        Self::ReleaseOneCopy,
        Self::DetachOneCopy,
        Self::RepairCacheOnly,
        Self::LabelOfAnySize,
        Self::FillKeepsZeros,
        Self::CommitKeepsUntaken,
        Self::ParkedForgotten,
        Self::UnstagedNotFreed,
        Self::ZeroingEndsAnother,
        Self::FailedZeroingNotFlushed,
        Self::RecoveryStopsEarly,
        Self::ExhaustedForGood,
        Self::GapInOneCopy,
        Self::LabelWrittenUnsaid,
        Self::LostGapForgotten,
        Self::NoteForgetsTheRecovered,
        Self::FailedNoteDoubtsNothing,
        Self::UnreadableItemsAreNone,
    ];
}

/// At most one mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Planted(Option<Bug>);

impl Planted {
    /// None: what everything but the crash suite uses.
    pub const NONE: Self = Self(None);

    /// This one.
    #[cfg(feature = "planted-bugs")]
    pub const fn only(bug: Bug) -> Self {
        Self(Some(bug))
    }

    /// True when `bug` is switched on.
    pub fn has(self, bug: Bug) -> bool {
        cfg!(feature = "planted-bugs") && self.0 == Some(bug)
    }
}
