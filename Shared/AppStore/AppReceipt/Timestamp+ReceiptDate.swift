package import Contracts

/// Dates as receipts write them. Foundation's date styles take longer for one than a signature check.
extension Timestamp {
    /// Parses RFC 3339 such as `2025-12-26T19:39:47+0100`, also with a colon in the offset; cut off at ms.
    package init?(receiptDate text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count > Self.form.count, zip(bytes, Self.form).allSatisfy(Self.fits) else { return nil }
        let year = Self.number(bytes[0..<4])
        let month = Self.number(bytes[5..<7])
        let day = Self.number(bytes[8..<10])
        let hour = Self.number(bytes[11..<13])
        let minute = Self.number(bytes[14..<16])
        let second = Self.number(bytes[17..<19])
        var rest = bytes[Self.form.count...]
        guard (1...12).contains(month), (1...Self.length(of: month, year)).contains(day), hour < 24,
            minute < 60, second <= 60, let fraction = Self.fraction(&rest), let offset = Self.offset(rest)
        else { return nil }
        let days = Timestamp.days(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        self.init(milliseconds: Int64(seconds * 1_000 + fraction))
    }

    /// Parses `2025-12-26 18:39:47 Etc/GMT`, from `verifyReceipt` and receipts of iOS 6.
    init?(inGMT text: String) {
        guard text.utf8.count == Self.form.count + Self.greenwich.utf8.count, text.hasSuffix(Self.greenwich)
        else { return nil }
        self.init(receiptDate: "\(text.prefix(10))T\(text.dropFirst(11).prefix(8))Z")
    }

    /// Such as `2025-12-26 18:39:47 Etc/GMT`.
    var inGMT: String { wholeSeconds.replacing("T", with: " ").replacing("Z", with: Self.greenwich) }

    /// RFC 3339 in UTC without fractions.
    var wholeSeconds: String { "\(rfc3339.prefix(Self.form.count))Z" }

    private static let form = Array("0000-00-00T00:00:00".utf8)
    private static let greenwich = " Etc/GMT"
    private static let zero = UInt8(ascii: "0")
    private static let digits = zero...UInt8(ascii: "9")

    private static func fits(_ byte: UInt8, _ form: UInt8) -> Bool {
        form == zero ? digits.contains(byte) : byte == form
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - zero) }
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Milliseconds; nil when there is a point without digits.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.first == UInt8(ascii: ".") else { return 0 }
        let found = rest.dropFirst().prefix(while: digits.contains)
        rest = rest[found.endIndex...]
        return found.isEmpty ? nil : number((found.prefix(3) + [zero, zero]).prefix(3))
    }

    /// Seconds east of Greenwich.
    private static func offset(_ rest: ArraySlice<UInt8>) -> Int? {
        if rest.elementsEqual("Z".utf8) { return 0 }
        let isEast = rest.first == UInt8(ascii: "+")
        guard isEast || rest.first == UInt8(ascii: "-"), (5...6).contains(rest.count) else { return nil }
        var clock = Array(rest.dropFirst())
        if clock[2] == UInt8(ascii: ":") { clock.remove(at: 2) }
        guard clock.count == 4, clock.allSatisfy(digits.contains) else { return nil }
        let hours = number(clock[..<2])
        let minutes = number(clock[2...])
        guard hours < 24, minutes < 60 else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes) * 60
    }
}
