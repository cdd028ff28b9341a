import FoundationEssentials

/// A moment in whole ms since 1970, as Apple's dates are.
package struct Timestamp: Hashable, Sendable, Codable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses RFC 3339 text, with or without fractions of a second; nil for other text.
    package init?(rfc3339: String) {
        if let milliseconds = Self.canonical(rfc3339) {
            self.milliseconds = milliseconds
            return
        }
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let whole = Date.ISO8601FormatStyle()
        guard let date = Self.parse(rfc3339, fractional) ?? Self.parse(rfc3339, whole) else { return nil }
        milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
    }

    /// Reads the form that `rfc3339` writes, used in every event; nil for any other.
    private static func canonical(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes -> Int64? in
            guard bytes.count == 24, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: "T"),
                bytes[13] == colon, bytes[16] == colon, bytes[19] == UInt8(ascii: "."),
                bytes[23] == UInt8(ascii: "Z"),
                let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
                let day = number(bytes[8..<10]),
                let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
                let second = number(bytes[17..<19]), let fraction = number(bytes[20..<23]),
                (1...12).contains(month), (1...28).contains(day), hour < 24, minute < 60, second < 60
            else { return nil }
            let days = Self.days(year: year, month: month, day: day)
            return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + Int64(fraction)
        }
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Days from 1970-01-01 to a proleptic Gregorian date, after Hinnant's `days_from_civil`.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func parse(_ text: String, _ style: Date.ISO8601FormatStyle) -> Date? {
        do { return try style.parse(text) } catch { return nil }
    }

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes whole ms.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment `milliseconds` later.
    package func advanced(by milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds &+ milliseconds)
    }

    /// How long ago `earlier` was, s; 0 without it, and when the clock went back.
    package func seconds(since earlier: Timestamp?) -> Double {
        max(0, Double(milliseconds - (earlier ?? self).milliseconds) / 1_000)
    }

    /// RFC 3339 text in UTC with three fraction digits.
    package var rfc3339: String {
        let day = Int(milliseconds.flooredDivision(by: 86_400_000))
        let inDay = Int(milliseconds - Int64(day) * 86_400_000)
        let (year, month, dayOfMonth) = Self.civil(day: day)
        let pattern: StaticString = "0000-00-00T00:00:00.000Z"
        return String(unsafeUninitializedCapacity: 24) { buffer in
            for index in 0..<24 { buffer[index] = pattern.utf8Start[index] }
            Self.write(year, endingAt: 3, in: buffer)
            Self.write(month, endingAt: 6, in: buffer)
            Self.write(dayOfMonth, endingAt: 9, in: buffer)
            Self.write(inDay / 3_600_000, endingAt: 12, in: buffer)
            Self.write(inDay / 60_000 % 60, endingAt: 15, in: buffer)
            Self.write(inDay / 1_000 % 60, endingAt: 18, in: buffer)
            Self.write(inDay % 1_000, endingAt: 22, in: buffer)
            return 24
        }
    }

    private static func write(_ number: Int, endingAt last: Int, in buffer: UnsafeMutableBufferPointer<UInt8>)
    {
        var rest = number
        var index = last
        while rest > 0, index >= 0 {
            buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
            index -= 1
        }
    }

    /// The proleptic Gregorian date of a day since 1970-01-01, after Hinnant's `civil_from_days`.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
