/// What was read of a partition's owner, and when, by a clock that only moves forward, in ms.
///
/// It is of a time between both: who shares a reading with others must not take it for newer than it is.
package struct OwnerReading: Hashable, Sendable {
    package let sign: OwnerSign
    /// When it was asked for.
    package let began: Int64
    /// When it was there.
    package let ended: Int64

    package init(_ sign: OwnerSign, began: Int64, ended: Int64) {
        (self.sign, self.began, self.ended) = (sign, began, ended)
    }
}
