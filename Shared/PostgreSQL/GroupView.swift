package import Database

/// What a process sees of its group: one statement brings it, and all of it is of one moment.
///
/// What it costs hardly depends on how many partitions there are; a statement for each of them would.
package struct GroupView: Hashable, Sendable {
    /// The last entry's place of each partition's log, by the partition's name.
    package let heads: [String: LogHead]
    /// The partitions that were ever renewed, or are quarantined, by their names.
    package let owners: [GroupRecords.Owner]
    /// Who was announced and has not left, by their names.
    package let members: [GroupRecords.Member]
    /// The number of the newest catalog; 0 before the first one.
    package let catalog: Int64

    package init(
        heads: [String: LogHead],
        owners: [GroupRecords.Owner],
        members: [GroupRecords.Member] = [],
        catalog: Int64 = 0
    ) {
        (self.heads, self.owners, self.members, self.catalog) = (heads, owners, members, catalog)
    }

    /// Of the columns that `GroupStatements.view` names.
    init(_ reply: Reply) {
        var heads: [String: LogHead] = [:]
        var owners: [GroupRecords.Owner] = []
        var members: [GroupRecords.Member] = []
        var catalog: Int64 = 0
        for row in reply.rows.indices {
            let name = reply.text(1, ofRow: row) ?? ""
            let number = reply.binaryNumber(2, ofRow: row)
            let counter = reply.binaryNumber(5, ofRow: row)
            switch reply.text(0, ofRow: row) {
            case "partition":
                if let number, let epoch = reply.binaryNumber(3, ofRow: row) {
                    heads[name] = LogHead(position: number, epoch: epoch)
                }
                let quarantine = reply.text(7, ofRow: row)
                if counter == nil, quarantine == nil { continue }
                owners.append(
                    GroupRecords.Owner(
                        partition: name,
                        epoch: reply.binaryNumber(4, ofRow: row) ?? 0,
                        counter: counter ?? 0,
                        endpoint: reply.text(6, ofRow: row) ?? "",
                        quarantine: quarantine
                    )
                )
            case "member":
                let bytes = reply.cell(row, 8) ?? []
                members.append(.init(name: name, counter: counter ?? 0, bytes: bytes, silence: number ?? 0))
            default: catalog = number ?? 0
            }
        }
        self.init(heads: heads, owners: owners, members: members, catalog: catalog)
    }
}
