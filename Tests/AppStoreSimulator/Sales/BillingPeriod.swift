import Foundation

/// How long one period of a subscription lasts: an ISO 8601 duration of one unit, as Apple's `offerPeriod`.
///
/// Days, weeks, months and years as in App Store Connect; hours, minutes and seconds too (`PT5M`), as the
/// sandbox compresses time.
struct BillingPeriod: Hashable, Sendable {
    static let month = BillingPeriod(text: "P1M", unit: .month, count: 1)

    let text: String
    private let unit: Calendar.Component
    private let count: Int

    private init(text: String, unit: Calendar.Component, count: Int) {
        self.text = text
        self.unit = unit
        self.count = count
    }

    init?(_ text: String) {
        let isTime = text.hasPrefix("PT")
        let units: [Character: (Calendar.Component, Int)] =
            isTime
            ? ["S": (.second, 1), "M": (.minute, 1), "H": (.hour, 1)]
            : ["D": (.day, 1), "W": (.day, 7), "M": (.month, 1), "Y": (.year, 1)]
        guard text.hasPrefix("P"), let letter = text.last, let (unit, factor) = units[letter],
            let count = Int(text.dropFirst(isTime ? 2 : 1).dropLast()), (1...1_000_000).contains(count)
        else { return nil }
        self.init(text: text, unit: unit, count: count * factor)
    }

    /// The end of a period that starts at `start`, both in milliseconds since 1970.
    func end(from start: Int64) -> Int64 {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(start) / 1_000)
        guard let end = calendar.date(byAdding: unit, value: count, to: date) else { return start }
        return Int64((end.timeIntervalSince1970 * 1_000).rounded())
    }
}

extension BillingPeriod: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let period = BillingPeriod(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no ISO 8601 duration")
        }
        self = period
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
