package import Database

/// What the hosts of a group tell each other through the log's database: who owns what, and who is there.
///
/// A watcher tells by its own clock how long a counter has stood still. PostgreSQL's clock says it of members to people
/// and to who has just begun to watch.
package struct GroupRecords {
    /// What became of a renewal.
    package enum Renewal: Hashable, Sendable {
        /// The owner owns, and what it has written is there.
        case renewed(counter: Int64)
        /// Another one has claimed the partition.
        case taken
        /// The log ends before the owner's last entry.
        case behind(LogHead)
        /// It may have been written or not.
        case unknown(String)
    }

    /// A partition as its owner last renewed it.
    package struct Owner: Hashable, Sendable {
        package let partition: String
        package let epoch: Int64
        /// Rises with each renewal.
        package let counter: Int64
        /// Where the owner is spoken to.
        package let endpoint: String
        /// Why nobody may claim before an operator has looked; nil if anybody may.
        package let quarantine: String?
    }

    /// A process of the group.
    package struct Member: Hashable, Sendable {
        package let name: String
        /// Rises with each `announce`.
        package let counter: Int64
        package let bytes: [UInt8]
        /// Since when the counter stands still, in ms, by PostgreSQL's clock: another one after a promotion.
        package let silence: Int64
    }

    /// A catalog that was loaded.
    package struct Catalog: Hashable, Sendable {
        /// From 1.
        package let number: Int64
        package let bytes: [UInt8]

        package init(number: Int64, bytes: [UInt8]) {
            self.number = number
            self.bytes = bytes
        }
    }

    private let connection: LogConnection

    package init(_ connection: LogConnection) { self.connection = connection }

    /// Raises the counter of a partition, by whoever owns it: its last entry is at `head`, and none of another epoch
    /// is behind it.
    ///
    /// - Throws: `LogFault`, but for `unreachable`: that is `unknown`.
    package func renew(_ partition: String, at head: LogHead, endpoint: String) throws(LogFault) -> Renewal {
        let place: [Parameter] = [.text(partition), .number(head.position), .number(head.epoch)]
        do throws(LogFault) {
            let reply = try connection.call(
                GroupStatements.renew,
                place + [.text(endpoint)],
                asksSettings: true,
                within: connection.limits.renewal
            )
            if let counter = reply.number(0) {
                if let doubt = connection.doubt(of: reply, settings: 1) { return .unknown(doubt) }
                return .renewed(counter: counter)
            }
            let found = try connection.call(
                LogStatements.head,
                [.text(partition)],
                within: connection.limits.renewal
            )
            guard let position = found.number(0), let epoch = found.number(1) else {
                throw .refused("the log has no partition \(partition)")
            }
            return position < head.position ? .behind(LogHead(position: position, epoch: epoch)) : .taken
        } catch {
            guard case .unreachable(let why) = error else { throw error }
            return .unknown(why)
        }
    }

    /// All that the hosts tell each other, and where each log ends, by one statement.
    ///
    /// - Throws: `LogFault`.
    package func view() throws(LogFault) -> GroupView {
        GroupView(try connection.call(GroupStatements.view, [], wantsBytes: true))
    }

    /// Says that nobody may claim a partition before an operator has looked; the first reason stays.
    ///
    /// - Throws: `LogFault`.
    package func quarantine(_ partition: String, _ why: String) throws(LogFault) {
        _ = try connection.call(GroupStatements.quarantine, [.text(partition), .text(why)])
    }

    /// Ends a partition's quarantine; false if there was none.
    ///
    /// - Throws: `LogFault`.
    package func resume(_ partition: String) throws(LogFault) -> Bool {
        try connection.call(GroupStatements.resume, [.text(partition)]).affected == 1
    }

    /// Tells what a member is, and raises its counter.
    ///
    /// - Throws: `LogFault`.
    package func announce(_ name: String, _ bytes: [UInt8]) throws(LogFault) {
        _ = try connection.call(GroupStatements.announce, [.text(name), .bytes(bytes)])
    }

    /// Strikes a member that leaves; twice is once.
    ///
    /// - Throws: `LogFault`.
    package func withdraw(_ name: String) throws(LogFault) {
        _ = try connection.call(GroupStatements.withdraw, [.text(name)])
    }

    /// Adds a catalog behind the newest one; the same one again is done already.
    ///
    /// False means that another one has this number. After `unreachable` the same call is repeated.
    ///
    /// - Throws: `LogFault`.
    package func load(_ catalog: Catalog) throws(LogFault) -> Bool {
        let parameters: [Parameter] = [.number(catalog.number), .bytes(catalog.bytes)]
        let reply = try connection.call(GroupStatements.load, parameters, asksSettings: true)
        if reply.affected == 1, let doubt = connection.doubt(of: reply, settings: 0) {
            throw .unreachable(doubt)
        }
        return reply.affected == 1
    }

    /// The newest catalog, nil before the first one.
    ///
    /// - Throws: `LogFault`.
    package func catalog() throws(LogFault) -> Catalog? {
        let reply = try connection.call(GroupStatements.catalog, [], wantsBytes: true)
        guard let number = reply.binaryNumber(0, ofRow: 0), let bytes = reply.cell(0, 1) else { return nil }
        return Catalog(number: number, bytes: bytes)
    }
}
