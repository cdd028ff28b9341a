import ArgumentParser
import Contracts

/// When certificates have to be valid.
enum ValidityTime: Equatable, ExpressibleByArgument {
    /// When the data was signed, as it says itself; now, where it does not say.
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

    /// The moment that counts instead of the one that the data names; nil when that one counts.
    func instead(now: Timestamp) -> Timestamp? {
        switch self {
        case .signedDate: nil
        case .now: now
        case .moment(let moment): moment
        }
    }
}
