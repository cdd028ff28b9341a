import ArgumentParser
import Contracts

/// When certificates must be valid.
enum ValidityTime: Equatable, ExpressibleByArgument {
    /// The signing date in the data; now, if it has none.
    case signedDate
    case now
    case moment(Timestamp)

    private static let signedDateText = "signed-date"

    var defaultValueDescription: String { Self.signedDateText }

    init?(argument: String) {
        switch argument {
        case Self.signedDateText: self = .signedDate
        case "now": self = .now
        default:
            guard let moment = Timestamp(rfc3339: argument) else { return nil }
            self = .moment(moment)
        }
    }

    /// The moment that replaces the signing date; nil when that date counts.
    func instead(now: Timestamp) -> Timestamp? {
        switch self {
        case .signedDate: nil
        case .now: now
        case .moment(let moment): moment
        }
    }
}
