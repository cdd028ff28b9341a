/// How far the copy of a partition's store is.
package struct StoreCopy: Codable, Hashable, Sendable {
    /// Whether there is a copy.
    package enum State: String, Codable, Sendable {
        case copying, done, failed
    }

    package var copyId: String
    package var state: State
    /// When the copy was whole; it has everything that was committed before.
    package var finishedAt: Timestamp?
    /// Why it failed; absent otherwise.
    package var failure: String?

    package init(
        copyId: String,
        state: State = .copying,
        finishedAt: Timestamp? = nil,
        failure: String? = nil
    ) {
        self.copyId = copyId
        self.state = state
        self.finishedAt = finishedAt
        self.failure = failure
    }
}
