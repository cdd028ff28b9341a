import FoundationEssentials

/// Finds requests in the ring files of a home's gateways.
package struct RequestSearch: Hashable, Sendable {
    /// Nil: any.
    package var buyer: String?
    package var order: String?
    package var id: String?
    /// All or the first digits of a status: `4` are those from 400 to 499.
    package var status: String?
    /// The newest so many.
    package var limit = 100

    package init() {}

    /// Whether a request is one of those that are asked for.
    package func matches(_ record: RequestRecord) -> Bool {
        (buyer.map { RequestRecord.buyer(record.buyerId) == RequestRecord.buyer($0) } ?? true)
            && (order.map { RequestRecord.order(record.orderId) == RequestRecord.order($0) } ?? true)
            && (id.map { record.id == $0 } ?? true)
            && (status.map { String(record.status).hasPrefix($0) } ?? true)
    }

    /// The newest first; a file that is written meanwhile has each record whole or not at all.
    ///
    /// - Throws: `ConfigurationError` when a file cannot be read.
    package func found(in home: Home) throws(ConfigurationError) -> [RequestRecord] {
        var found: [RequestRecord] = []
        for file in Self.files(of: home) {
            let bytes = try ConfigurationFile.contents(file, otherwise: "no gateway has run here")
            for start in stride(from: 0, to: bytes.count - RequestRecord.bytes + 1, by: RequestRecord.bytes) {
                let line = bytes[bytes.startIndex + start..<bytes.startIndex + start + RequestRecord.bytes]
                if let record = RequestRecord(line: line), matches(record) { found.append(record) }
            }
        }
        found.sort { ($0.time, $0.number) > ($1.time, $1.number) }
        return Array(found.prefix(limit))
    }

    private static func files(of home: Home) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: home.logFolder)
                .filter { $0.hasPrefix("requests.") && $0.hasSuffix(".ring") }
                .sorted().map { "\(home.logFolder)/\($0)" }
        } catch {
            return []  // no gateway has run here
        }
    }
}

extension Home {
    /// The bounded record of the requests that a gateway has answered.
    package func requestLog(replica: Int) -> String { "\(logFolder)/requests.\(replica).ring" }
}
