/// One partition of one service, written `/orders/3` as in a CloudEvents `source`.
package struct PartitionAddress: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    package let service: ServiceName
    package let partition: Int

    package init(_ service: ServiceName, _ partition: Int) {
        self.service = service
        self.partition = partition
    }

    /// Parses the form of `description`; nil for other text.
    package init?(_ text: String) {
        // By bytes: each request carries one.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        guard parts.count == 3, parts[0].isEmpty, let service = ServiceName(rawValue: String(parts[1])),
            let partition = Int(parts[2]), partition >= 0
        else { return nil }
        self.init(service, partition)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let address = PartitionAddress(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not a partition's address"
            )
        }
        self = address
    }

    /// Encodes the form `/orders/3`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package var description: String { "/\(service.rawValue)/\(partition)" }

    package static func < (left: PartitionAddress, right: PartitionAddress) -> Bool {
        (left.service.rawValue, left.partition) < (right.service.rawValue, right.partition)
    }
}
