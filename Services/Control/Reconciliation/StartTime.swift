import ArgumentParser
import Contracts

/// The beginning of a period that ends now.
enum StartTime: Equatable, ExpressibleByArgument {
    case at(Timestamp)
    /// Milliseconds before now.
    case ago(Int64)

    /// Maximum units in a duration; more is a mistake.
    private static let maximumCount: Int64 = 100_000
    /// Milliseconds of each unit.
    private static let units: [Character: Int64] = ["d": 24 * 3_600_000, "h": 3_600_000, "m": 60_000]

    init?(argument: String) {
        if let length = Self.length(argument) {
            self = .ago(length)
        } else if let moment = Timestamp(rfc3339: argument) {
            self = .at(moment)
        } else {
            return nil
        }
    }

    func moment(now: Timestamp) -> Timestamp {
        switch self {
        case .at(let moment): moment
        case .ago(let milliseconds): now.advanced(by: -milliseconds)
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
