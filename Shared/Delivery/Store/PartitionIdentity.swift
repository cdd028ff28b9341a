package import Contracts
package import Database

/// Which partition a store is: of which service, its number, and of how many; noted when it is made, for ever.
///
/// With another count a key would lead to another store, and what was granted from this one would be granted again.
package struct PartitionIdentity: Equatable, Sendable {
    package let address: PartitionAddress
    package let partitions: Int

    package init(_ address: PartitionAddress, of partitions: Int) {
        self.address = address
        self.partitions = partitions
    }

    /// A store is not the one that its owner was told to take.
    package struct Mismatch: Error, Equatable, CustomStringConvertible {
        package let found: PartitionIdentity
        package let wanted: PartitionIdentity

        package var description: String {
            "the store is \(found), not \(wanted); the number of partitions is fixed when a home is made: "
                + "set it back in counterfoil.json, or put the file back in its place"
        }
    }

    /// Refuses a store that is another one.
    ///
    /// - Throws: `Mismatch`.
    func accept(_ found: PartitionIdentity) throws(Mismatch) {
        guard found == self else { throw Mismatch(found: found, wanted: self) }
    }

    // MARK: In the store

    /// What an open store says of itself; nil when no owner has taken it yet.
    ///
    /// - Throws: `StoreError`.
    package static func recorded(in store: any Database) throws -> PartitionIdentity? {
        try store.write { connection in
            let made = try connection.row(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'partition_owner'"
            )
            guard made != nil else { return nil }
            return try connection.row(
                "SELECT service, partition, partitions FROM partition_owner",
                PartitionIdentity.init
            )
        }
    }

    /// A row of `partition_owner`.
    init(_ row: Row) throws(StoreError) {
        let address = PartitionAddress(try row["service"], try row["partition"])
        self.init(address, of: try row["partitions"])
    }

    // MARK: In the header of the file

    /// `C`, the service, the partition, and how many follow the first one: a byte each.
    package var label: UInt32 {
        let service = ServiceName.allCases.firstIndex(of: address.service) ?? 0
        let bytes = [Int(UInt8(ascii: "C")), service, address.partition, partitions - 1]
        return bytes.reduce(0) { $0 << 8 | UInt32(UInt8(truncatingIfNeeded: $1)) }
    }

    /// What the file of a store says of itself without being opened; nil when it says nothing yet.
    ///
    /// Only for a process that has no store open, see `StoreHeader.read`.
    ///
    /// - Throws: `StoreError`.
    package static func labelled(path: String) throws(StoreError) -> PartitionIdentity? {
        guard let label = try StoreHeader.read(path: path)?.applicationID else { return nil }
        let bytes = [24, 16, 8, 0].map { Int(label >> UInt32($0) & 0xFF) }
        guard bytes[0] == Int(UInt8(ascii: "C")), ServiceName.allCases.indices.contains(bytes[1]) else {
            return nil
        }
        return PartitionIdentity(
            PartitionAddress(ServiceName.allCases[bytes[1]], bytes[2]),
            of: bytes[3] + 1
        )
    }
}

extension PartitionIdentity: CustomStringConvertible {
    package var description: String { "\(address) of \(partitions)" }
}
