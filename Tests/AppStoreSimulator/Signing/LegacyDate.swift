package import Contracts
import Foundation

/// A date as verifyReceipt writes it, three times: in Greenwich, in milliseconds and in California.
package enum LegacyDate {
    /// The three members that say `name`; `milliseconds` since 1970.
    package static func members(_ name: String, _ milliseconds: Int64) -> [String: JSONValue] {
        [
            name: .string(text(milliseconds, in: "Etc/GMT")),
            "\(name)_ms": .string(String(milliseconds)),
            "\(name)_pst": .string(text(milliseconds, in: "America/Los_Angeles")),
        ]
    }

    /// `2013-08-01 07:00:00 Etc/GMT`.
    package static func text(_ milliseconds: Int64, in zone: String) -> String {
        let seconds = Int((Double(milliseconds) / 1_000).rounded(.down))
        let date = Date(timeIntervalSince1970: Double(seconds))
        let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: date) ?? 0
        let local = Timestamp(milliseconds: Int64(seconds + offset) * 1_000).rfc3339
        return "\(local.prefix(10)) \(local.dropFirst(11).prefix(8)) \(zone)"
    }
}
