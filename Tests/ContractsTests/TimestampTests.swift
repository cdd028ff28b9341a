import Contracts
import Foundation
import Testing

@Suite struct Timestamps {
    static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    static let day: Int64 = 86_400_000

    /// The first and last moments of every 13th day of the years around `year`, and of those around 28 February.
    static func moments(of year: Int) -> [Timestamp] {
        let start = Int64(Date.ISO8601FormatStyle.days(before: year)) * day
        return stride(from: Int64(0), to: 367, by: 1).flatMap { number -> [Timestamp] in
            guard number % 13 == 0 || (57...61).contains(number) || number > 363 else { return [] }
            let midnight = start + number * day
            return [midnight, midnight + 1, midnight + 45_296_789, midnight + day - 1].map(Timestamp.init)
        }
    }

    @Test(arguments: [
        1_600, 1_700, 1_900, 1_968, 1_969, 1_970, 1_972, 2_000, 2_023, 2_024, 2_025, 2_096, 2_100, 2_400,
    ])
    func `Moments are written as Foundation writes them, in leap years and others`(year: Int) {
        for moment in Self.moments(of: year) {
            // Half a millisecond more, because Foundation cuts off what a Double cannot hold.
            let date = Date(timeIntervalSince1970: (Double(moment.milliseconds) + 0.5) / 1_000)
            #expect(moment.rfc3339 == date.formatted(Self.style), "\(moment.milliseconds)")
        }
    }

    @Test(arguments: [1_600, 1_900, 1_969, 1_970, 2_000, 2_023, 2_024, 2_100, 2_400])
    func `What was written is read back to the millisecond`(year: Int) {
        for moment in Self.moments(of: year) { #expect(Timestamp(rfc3339: moment.rfc3339) == moment) }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1970-01-01T00:00:00.5Z", 500),
        ("2026-01-01T00:00:02.000Z", 1_767_225_602_000),
        ("2026-01-01T01:00:02+01:00", 1_767_225_602_000), ("1969-12-31T23:59:59.999Z", -1),
        ("2024-02-29T00:00:00.000Z", 1_709_164_800_000),
    ])
    func `Other forms of RFC 3339 are read, too`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00.000Z",
        "2026-01-00T00:00:00.000Z",
        "2026-01-01 00:00:00.000Z",
        "2026-01-01T00:00:00.00xZ",
        "yesterday",
    ])
    func `Text that is no moment is refused`(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

    @Test func `A moment in a message is a whole number of milliseconds`() throws {
        let json = Data("[1767225602000]".utf8)
        let moments = try JSONDecoder().decode([Timestamp].self, from: json)
        #expect(moments.first?.rfc3339 == "2026-01-01T00:00:02.000Z")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data("[1.5]".utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data(#"["1"]"#.utf8))
        }
    }

    @Test func `Advancing adds milliseconds and keeps the order`() {
        let moment = Timestamp(milliseconds: 5)
        #expect(moment.advanced(by: 10) == Timestamp(milliseconds: 15))
        #expect(moment < moment.advanced(by: 1))
        #expect(moment.advanced(by: -10) < moment)
    }
}

extension Date.ISO8601FormatStyle {
    /// Days from 1970-01-01 to the first day of a year, counted leap year by leap year.
    fileprivate static func days(before year: Int) -> Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        if year < 1_970 { return -(year..<1_970).reduce(0) { $0 + (isLeap($1) ? 366 : 365) } }
        return (1_970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
    }
}
