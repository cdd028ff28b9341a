/// A handler failed, not the store: the batch is rolled back, and runs again without this item.
struct FailedItem: Error {
    enum ID: Hashable {
        /// The item at this place of the batch.
        case item(Int)
        /// The event with this number among those that the batch sent to its own partition.
        case own(Int)
        case wait(String)
    }

    static let deadlyReason = "the process ended each time this was alone in hand"

    let id: ID
    let reason: String
    /// Whether it was alone in progress at too many deaths of the process.
    var isDeadly = false
}
