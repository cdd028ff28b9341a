/// How long to wait before the next try; there is always a next one.
struct Backoff: Equatable, Sendable {
    static let firstMilliseconds: Int64 = 1_000
    static let longestMilliseconds: Int64 = 300_000
    /// A server that asks for more is asked earlier: a slip in a header must not silence a phone.
    static let longestRetryAfterMilliseconds: Int64 = 3_600_000
    private static let longestShift = 9

    private(set) var failures = 0

    /// The next pause in ms, less up to a half by `chance` (0 to 1), so that phones do not come back together.
    mutating func next(chance: Double) -> Int64 {
        let full = min(
            Self.firstMilliseconds << Int64(min(failures, Self.longestShift)),
            Self.longestMilliseconds
        )
        failures += 1
        return full - Int64(Double(full / 2) * chance)
    }

    /// What the server asked for, in ms, and up to a tenth more by `chance`; never less than the pause without it,
    /// because a server that asks for no time at all would be asked without a pause.
    mutating func obey(_ milliseconds: Int64, chance: Double) -> Int64 {
        let asked = min(max(milliseconds, 0), Self.longestRetryAfterMilliseconds)
        return max(next(chance: chance), asked + Int64(Double(asked / 10) * chance))
    }
}

/// `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3).
enum RetryAfter {
    private static let longestSeconds = Int(Int32.max)
    private static let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")

    /// In ms, or nil; a date counts from the answer's own, because the phone's clock may be wrong.
    static func milliseconds(of text: String, answeredAt date: String?) -> Int64? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let asked = isNumber ? Int(text) ?? longestSeconds : until(text, from: date)
        return asked.map { Int64(min(max($0, 0), longestSeconds)) * 1_000 }
    }

    private static func until(_ text: String, from date: String?) -> Int? {
        guard let date, let then = seconds(text), let now = seconds(date) else { return nil }
        return then - now
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, in s since 1970.
    private static func seconds(_ text: String) -> Int? {
        let words = text.split { $0 == " " || $0 == ":" }
        guard words.count == 8, words[7] == "GMT" else { return nil }
        let numbers = [1, 3, 4, 5, 6].compactMap { words[$0].utf8.count > 4 ? nil : Int(words[$0]) }
        guard numbers.count == 5, let month = months.firstIndex(of: words[2]) else { return nil }
        // Years that begin in March have their leap day last.
        let (shifted, year) = ((month + 10) % 12, numbers[1] - (month < 2 ? 1 : 0))
        let days = year * 365 + year / 4 - year / 100 + year / 400 + (shifted * 153 + 2) / 5 + numbers[0]
        return (days - 719_469) * 86_400 + numbers[2] * 3_600 + numbers[3] * 60 + numbers[4]
    }
}
