package import Contracts
package import Database

/// The partition that a store belongs to and the number of partitions; recorded once.
///
/// With another number a key would lead to another store, which would grant again what this one has granted.
package struct PartitionIdentity: Equatable, Sendable {
    package let address: PartitionAddress
    package let partitions: Int

    package init(_ address: PartitionAddress, of partitions: Int) {
        self.address = address
        self.partitions = partitions
    }

    /// A store is not the one that its owner was to take.
    package struct Mismatch: Error, Equatable, CustomStringConvertible {
        package let found: PartitionIdentity
        package let wanted: PartitionIdentity

        package var description: String {
            "the store is \(found), not \(wanted); the number of partitions is fixed when a home is made: "
                + "set it back in counterfoil.json, or put the file back in its place"
        }
    }

    func accept(_ found: PartitionIdentity) throws(Mismatch) {
        guard found == self else { throw Mismatch(found: found, wanted: self) }
    }

    // MARK: In the store

    /// The identity in an open store; nil before its first owner.
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

    init(_ row: Row) throws(StoreError) {
        let address = PartitionAddress(try row["service"], try row["partition"])
        self.init(address, of: try row["partitions"])
    }

    // MARK: In the header of the file

    /// One byte each: `C`, the service, the partition, and how many follow the first one.
    package var label: UInt32 {
        let service = ServiceName.allCases.firstIndex(of: address.service) ?? 0
        let bytes = [Int(UInt8(ascii: "C")), service, address.partition, partitions - 1]
        return bytes.reduce(0) { $0 << 8 | UInt32(UInt8(truncatingIfNeeded: $1)) }
    }

    /// The identity in the file's header, read without opening the store; nil when there is none yet.
    ///
    /// Only for a process that has no store open, see `StoreHeader.read`.
    package static func labelled(path: String) throws(StoreError) -> PartitionIdentity? {
        guard let label = try StoreHeader.read(path: path)?.label else { return nil }
        let bytes = [24, 16, 8, 0].map { Int(label >> UInt32($0) & 0xFF) }
        guard bytes[0] == Int(UInt8(ascii: "C")), ServiceName.allCases.indices.contains(bytes[1]) else {
            return nil
        }
        let address = PartitionAddress(ServiceName.allCases[bytes[1]], bytes[2])
        return PartitionIdentity(address, of: bytes[3] + 1)
    }
}

extension PartitionIdentity: CustomStringConvertible {
    package var description: String { "\(address) of \(partitions)" }
}
