package import Database

/// The tables of a group's log.
package struct LogTables {
    private let connection: LogConnection

    package init(_ connection: LogConnection) { self.connection = connection }

    /// Makes the tables of a group and its partitions; twice is once.
    ///
    /// - Throws: `LogFault.refused` if they are another group's.
    package func make(group: String, partitions: [String]) throws(LogFault) {
        for sql in LogStatements.tables { _ = try connection.call(sql, []) }
        if try labels().isEmpty {
            _ = try connection.call(LogStatements.label, [.number(LogStatements.version), .text(group)])
        }
        let found = try check()
        guard found == group else {
            let advice = "use another database, or `counterfoil join` that group"
            throw .refused("the database holds the log of the group \(found); \(advice)")
        }
        for partition in partitions {
            _ = try connection.call(LogStatements.makePartition, [.text(partition)])
        }
    }

    /// The group whose log it is.
    ///
    /// - Throws: `LogFault.unreadable` if it is of another version.
    @discardableResult
    package func check() throws(LogFault) -> String {
        let found = try labels()
        guard let first = found.first else { throw .unreadable("the database holds no log yet") }
        guard found.count == 1, first.version == LogStatements.version else {
            throw .unreadable(
                "the log is of version \(first.version), this program's is \(LogStatements.version)"
            )
        }
        return first.group
    }

    private func labels() throws(LogFault) -> [(version: Int64, group: String)] {
        let reply = try connection.call(LogStatements.labels, [])
        return reply.rows.indices.map { (reply.number(0, ofRow: $0) ?? 0, reply.text(1, ofRow: $0) ?? "") }
    }
}
