//! Known mistakes of the served device that its tests must notice.
//!
//! Each stands at the place in the crates of the plugin, the server, the threads and the NBD client where it could be made. Without the
//! feature `on` the question whether one is made is a constant, and the compiler removes it. The mistakes of the durable cache itself
//! are `halo-cache`'s. Start with [`Mistake`]; [`Misreading`] has those that no well-meant server brings to light, [`Lapse`] those that need a server of their own.

#![forbid(unsafe_code)]

use std::sync::OnceLock;

/// The variable of the environment that names the mistake of a process.
pub const VARIABLE: &str = "HALO_PLANTED";

macro_rules! mistakes {
    ($(#[$about:meta])* $kind:ident: $($(#[$text:meta])* $name:ident,)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $kind {
            $($(#[$text])* $name,)+
        }

        impl $kind {
            /// Every one.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// True when this process makes it.
            #[inline]
            pub fn is_made(self) -> bool {
                static CHOSEN: OnceLock<Option<$kind>> = OnceLock::new();
                let chosen = || {
                    let name = std::env::var(VARIABLE).ok()?;
                    Self::ALL.iter().find(|one| format!("{one:?}") == name).copied()
                };
                cfg!(feature = "on") && *CHOSEN.get_or_init(chosen) == Some(self)
            }
        }
    };
}

mistakes! {
    /// A mistake that a contract of the served device must notice.
    Mistake:
    /// The plugin ignores FUA on a write.
    WriteFuaIgnored,
    /// The plugin ignores FUA on a write of zeroes.
    ZeroFuaIgnored,
    /// The plugin ignores FUA on a trim.
    TrimFuaIgnored,
    /// A flush covers only what its own connection wrote.
    FlushOfOwnWrites,
    /// A write that failed is reported as done.
    WriteErrorSwallowed,
    /// A flush that failed is reported as done.
    FlushErrorSwallowed,
    /// A trim is rounded to whole blocks, outwards.
    TrimRoundedOutwards,
    /// A write of zeroes is carried out as a trim.
    ZeroAsTrim,
    /// The last block, which holds the disk's label, is offered to clients.
    LabelOffered,
    /// A flush returns at once when no block is dirty.
    FlushSkippedWhenClean,
    /// A server that is asked to end does not flush.
    LastFlushSkipped,
    /// Mode strict acknowledges zeroing before it is durable.
    StrictZeroNotDurable,
    /// Mode strict acknowledges writes before they are durable.
    StrictWriteNotDurable,
    /// A flush waits for the commit under way and takes it for its own.
    FlushJoinsRunningCommit,
    /// A flush does not flush the disk after part of it was zeroed.
    ZeroedDiskNotFlushed,
    /// A batch that ended early counts the block as written in whose middle it ended.
    HalfBlockTaken,
    /// A batch clears blocks although the disk was not flushed.
    DiskNotFlushed,
    /// A batch clears blocks that the disk refused.
    DiskErrorSwallowed,
    /// A flush of an NBD disk forgets changes that returned while it was under way.
    BarrierForgetsLateChanges,
    /// A flush of an NBD disk is not sent.
    BarrierNotSent,
    /// A flush that an NBD disk refused is taken for done.
    BarrierErrorSwallowed,
    /// Unflushed writes of an NBD disk are not sent again after a reconnection.
    NothingSentAgain,
    /// Writes that an NBD disk may have lost with a refused flush are not sent again.
    RefusedFlushForgotten,
    /// Another disk is taken for the one whose server went away.
    OtherDiskTaken,
    /// A read that failed is reported as done.
    ReadErrorSwallowed,
    /// A read of several parts of the disk gives them as they are masked there.
    MaskedBytesShown,
    /// A server whose last flush failed ends as if it had not.
    LastFlushErrorSwallowed,
    /// A batch that ends early counts as written up to where the last of its writers stopped, not the first.
    EndOfBatchOverwritten,
    /// A flush of the disk covers what was zeroed there while it was under way.
    LateZeroesForgotten,
    /// A sync after one that failed is believed.
    SyncBelievedAgain,
    /// The end of a long piece is not written to the disk.
    EndOfPieceDropped,
    /// A read takes what the disk has of a block over what the cache has.
    DiskOverCache,
    /// Any disk with a label is taken for the one whose server went away.
    AnyLabelTaken,
    /// Zeros that an NBD disk had not flushed are not sent again.
    ZeroesNotSentAgain,
    /// A server that ends shows the disk as it is, although it lacks blocks.
    LackingDiskShown,
    /// A disk whose server came back is another one once its label notes anything new.
    WholeLabelCompared,
    /// A range that is zeroed as a whole is, where the disk is masked, too.
    MaskedPlacePunched,
    /// Writes that an NBD disk had not flushed are sent again in another order.
    SentAgainBackwards,
    /// Trims that an NBD disk had not flushed are not sent again, and what they trimmed comes back.
    TrimsNotSentAgain,
    /// Zeroing that the disk refused is reported as done.
    ZeroErrorSwallowed,
    /// A disk that takes no blocks is tried as often as one with nothing to take.
    FailingDiskPressed,
    /// Clients are told of a broken device when the cache is full.
    FullCacheCalledBroken,
    /// The emulated disk ignores FUA on a write.
    EmulatedFuaIgnored,
}

mistakes! {
    /// A mistake of the NBD client in what it keeps, and when it goes on, which only a server made for it brings to light: the client's
    /// own tests must notice.
    Lapse:
    /// Changes are kept until a flush however many there are.
    KeptWithoutEnd,
    /// A change that returned on a connection that was replaced meanwhile counts as made on the new one.
    LeftConnectionBelieved,
    /// A connection is left while commands are under way on it.
    LeftWithCommands,
}

mistakes! {
    /// A mistake in what the NBD client makes of a server's words, which the fuzzing must notice.
    Misreading:
    /// A reply is taken for the one that is waited for, whichever command it names.
    AnyReply,
    /// A reply is one whatever it begins with.
    AnyMagic,
    /// The error in a reply is not looked at.
    ErrorOverlooked,
    /// Bytes that are missing at the end of a read are zeros.
    ZerosForMissingData,
    /// An export that takes no flush is used.
    NoFlushNeeded,
    /// A read-only export is used.
    ReadOnlyTaken,
    /// An export that takes larger blocks only is used.
    LargeBlocksTaken,
}
