package import Contracts

/// A moment as a receipt writes it: RFC 3339, with or without a colon in the offset.
package struct ReceiptDate: Hashable, Sendable {
    package let text: String
    /// Cut off at milliseconds.
    package let moment: Timestamp

    /// Parses `2025-12-26T18:39:47Z`, `2025-12-26T19:39:47+0100` and the like.
    package init?(_ text: String) {
        var scanner = Scanner(text)
        guard let moment = scanner.moment() else { return nil }
        self.text = text
        self.moment = moment
    }

    /// Parses `2025-12-26 18:39:47 Etc/GMT`, from `verifyReceipt` and receipts of iOS 6.
    init?(inGMT text: String) {
        guard text.utf8.count == 19 + Self.greenwich.utf8.count, text.hasSuffix(Self.greenwich) else {
            return nil
        }
        self.init("\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z")
    }

    private static let greenwich = " Etc/GMT"

    var inGMT: String {
        let text = moment.rfc3339
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))\(Self.greenwich)"
    }

    /// Reads digits from the front; Foundation's date styles take longer for each date than a signature
    /// check.
    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        mutating func moment() -> Timestamp? {
            guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
                skip("T"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
                let second = number(2), (1...12).contains(month),
                (1...Self.length(of: month, year)).contains(day), hour < 24, minute < 60, second <= 60,
                let fraction = fraction(), let offset = offset(), rest.isEmpty
            else { return nil }
            let days = Timestamp.days(year: year, month: month, day: day)
            let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
            return Timestamp(milliseconds: Int64(seconds) * 1_000 + Int64(fraction))
        }

        private static func length(of month: Int, _ year: Int) -> Int {
            switch month {
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        private mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func number(_ digits: Int) -> Int? {
            guard rest.count >= digits else { return nil }
            var number = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        private mutating func digit() -> Int? {
            guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                return nil
            }
            rest.removeFirst()
            return Int(byte - UInt8(ascii: "0"))
        }

        /// Milliseconds; nil when there is a point without digits.
        private mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            guard let first = digit() else { return nil }
            var milliseconds = first * 100
            var weight = 10
            while let digit = digit() {
                milliseconds += digit * weight
                weight /= 10
            }
            return milliseconds
        }

        /// Seconds east of Greenwich.
        private mutating func offset() -> Int? {
            if skip("Z") { return 0 }
            let sign = skip("+") ? 1 : -1
            guard sign == 1 || skip("-"), let hours = number(2) else { return nil }
            _ = skip(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 60 + minutes) * 60
        }
    }
}
