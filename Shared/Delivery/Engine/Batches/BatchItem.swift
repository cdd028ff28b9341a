import Contracts

/// What a batch processes one after the other: each item fails or takes effect by itself.
enum BatchItem {
    case input(PartitionInput)
    /// The first delayed event of a subject.
    case delayed(Subject)
    /// The next page of a redrive.
    case redrive(PartitionAddress)
}
