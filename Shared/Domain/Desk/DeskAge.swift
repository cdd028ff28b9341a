/// How long something has waited, as an operator writes it: `90s`, `15min`, `1h`, `3d`.
package enum DeskAge {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("s", 1_000), ("min", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    /// The largest number before a unit.
    private static let most: Int64 = 100_000

    /// What is allowed, in words.
    package static let rule = "must be a number with a unit, such as 90s, 15min, 1h or 3d"

    /// In ms; nil of other text.
    package static func milliseconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = units.first { $0.name == text.dropFirst(digits.count) }
        guard let number = Int64(digits), let unit, (1...most).contains(number) else { return nil }
        return number * unit.milliseconds
    }
}
