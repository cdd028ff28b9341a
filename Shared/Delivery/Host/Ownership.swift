/// Who owns which partition of a service, and how many replicas share them.
///
/// Calls may block. They come from one replica: of its steward's thread, and of its partitions' own.
package protocol Ownership: Sendable {
    /// Makes this replica one of those that share the partitions; nil while another process has its number.
    func join() throws -> (any Membership)?

    /// How many replicas there are, this one included, and how many of them have a lower number.
    func census() throws -> (members: Int, rank: Int)

    /// Whether nobody owns a partition; another one may have taken it when this returns.
    func isFree(_ partition: Int) throws -> Bool

    /// Takes a partition if nobody owns it.
    func take(_ partition: Int) throws -> (any OwnedPartition)?
}
