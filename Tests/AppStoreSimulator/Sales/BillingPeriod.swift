import Foundation

/// How long one period of a subscription lasts: an ISO 8601 duration of one unit, as Apple's `offerPeriod`.
///
/// Days, weeks, months and years as in App Store Connect; hours, minutes and seconds too (`PT5M`), as the
/// sandbox compresses time.
struct BillingPeriod: RawRepresentable, Codable, Sendable {
    static let month = BillingPeriod(rawValue: "P1M", unit: .month, count: 1)

    let rawValue: String
    private let unit: Calendar.Component
    private let count: Int

    private init(rawValue: String, unit: Calendar.Component, count: Int) {
        self.rawValue = rawValue
        self.unit = unit
        self.count = count
    }

    init?(rawValue text: String) {
        let isTime = text.hasPrefix("PT")
        let units: [Character: (Calendar.Component, Int)] =
            isTime
            ? ["S": (.second, 1), "M": (.minute, 1), "H": (.hour, 1)]
            : ["D": (.day, 1), "W": (.day, 7), "M": (.month, 1), "Y": (.year, 1)]
        guard text.hasPrefix("P"), let letter = text.last, let (unit, factor) = units[letter],
            let count = Int(text.dropFirst(isTime ? 2 : 1).dropLast()), (1...1_000_000).contains(count)
        else { return nil }
        self.init(rawValue: text, unit: unit, count: count * factor)
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
