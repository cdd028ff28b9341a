/// A fault of the store itself; it never counts against a message.
package enum StoreError: Error, Equatable, Sendable {
    /// Somebody else has the file locked; passes when it is let go.
    case busy
    /// The disk is full; passes when space is freed.
    case full
    /// The owner's lease has run out, and its log does not renew it; passes when the log answers.
    case unproven
    /// A read, write or sync failed; the state on disk is unknown until the store is reopened.
    ///
    /// Also a statement that is no SQL. The text ends with the beginning of the statement, and has none of its values.
    case failed(String)
    /// A CHECK, UNIQUE or NOT NULL of the schema forbids the change.
    case constraint(String)
    /// The store was written by a newer program.
    case newerSchema(found: Int, known: Int)
    /// A row contradicts its schema.
    case corrupt(String)
    /// The file itself is damaged; nothing more may be written.
    case damaged(String)
    /// The files at the store's paths are not those that its owner wrote.
    case replaced(String)
    /// Another owner has the partition, or was first to claim it; the store itself is as good as before.
    case taken(String)
}
