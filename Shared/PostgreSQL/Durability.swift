/// What a server does with a COMMIT before it acknowledges it, by its own settings.
struct Durability: Hashable, Sendable {
    /// Nil where the engine has no such setting.
    var fsync: String?
    var synchronousCommit: String?
    var synchronousStandbyNames: String?
    /// A COMMIT whose wait for the standby was cancelled says so in a warning alone.
    var clientMinMessages: String?

    /// Why an acknowledged COMMIT may be lost with one machine; nil if it is on two disks by then.
    ///
    /// | setting | what is enough |
    /// |---|---|
    /// | `fsync` | `on` |
    /// | `synchronous_commit` | `on`, `remote_apply` |
    /// | `synchronous_standby_names` | not empty |
    /// | `client_min_messages` | `warning` or one that says more, or there is none |
    ///
    /// An engine that has not one of them may do the same by other means, which nobody can know from here.
    var weakness: String? {
        guard let fsync, let synchronousCommit, let synchronousStandbyNames else {
            return "the engine does not say whether a COMMIT waits for a second machine"
        }
        if fsync != "on" { return "fsync is \(fsync)" }
        if !["on", "remote_apply"].contains(synchronousCommit) {
            return "synchronous_commit is \(synchronousCommit)"
        }
        if synchronousStandbyNames.allSatisfy(\.isWhitespace) {
            return "there is no synchronous standby: synchronous_standby_names is empty"
        }
        if let clientMinMessages, ["error", "fatal", "panic"].contains(clientMinMessages) {
            return "client_min_messages is \(clientMinMessages), which hides that a COMMIT has not waited"
        }
        return nil
    }
}

extension Durability {
    /// Of the columns that `LogStatements.durability` names.
    init(_ reply: Reply, from column: Int) {
        self.init(
            fsync: reply.text(column),
            synchronousCommit: reply.text(column + 1),
            synchronousStandbyNames: reply.text(column + 2),
            clientMinMessages: reply.text(column + 3)
        )
    }
}
