import ArgumentParser
import Contracts

/// How far back something is looked for.
enum LookBack: Equatable, ExpressibleByArgument {
    case since(Timestamp)
    /// That many milliseconds up to now.
    case last(Int64)

    /// What is looked for when nothing is said.
    static let day = LookBack.last(24 * 3_600_000)

    /// Most units in a length of time; more cannot be meant.
    private static let maximumCount: Int64 = 100_000
    /// The milliseconds of each unit.
    private static let units: [Character: Int64] = ["d": 24 * 3_600_000, "h": 3_600_000, "m": 60_000]

    init?(argument: String) {
        if let length = Self.length(argument) {
            self = .last(length)
        } else if let moment = Timestamp(rfc3339: argument) {
            self = .since(moment)
        } else {
            return nil
        }
    }

    /// Where it begins.
    func beginning(now: Timestamp) -> Timestamp {
        switch self {
        case .since(let moment): moment
        case .last(let milliseconds): now.advanced(by: -milliseconds)
        }
    }

    private static func length(_ text: String) -> Int64? {
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Int64(digits), (1...maximumCount).contains(count)
        else { return nil }
        return count * unit
    }
}
