/// How far the copy of a partition's store is.
package struct StoreCopy: Codable, Hashable, Sendable {
    /// Whether there is a copy.
    package enum State: String, Codable, Sendable {
        case copying, done, failed
    }

    package var copyId: String
    package var state: State = .copying
    /// When the copy was whole; it has everything that was committed before.
    package var finishedAt: Timestamp? = nil
    /// Why it failed; absent otherwise.
    package var failure: String? = nil
}
