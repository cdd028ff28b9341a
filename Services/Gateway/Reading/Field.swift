import Contracts
import Domain
import HTTPTypes
import Hummingbird
import Program

/// Checks single values of a request; each problem names the value.
enum Field {
    /// The longest device id, in bytes: a UUID is shorter.
    static let maximumDeviceBytes = 64

    /// An identifier of a member that must be there.
    static func identifier<ID: TextIdentifier>(
        _ type: ID.Type,
        _ text: String,
        _ name: String,
        _ rule: String
    ) throws(Problem) -> ID {
        guard let identifier = ID(rawValue: text) else { throw .unacceptable(name, "must be \(rule)") }
        return identifier
    }

    /// A buyer's id.
    static func buyer(_ text: String, _ name: String = "buyerId") throws(Problem) -> BuyerID {
        try identifier(BuyerID.self, text, name, "1 to 128 bytes of printable text")
    }

    /// The bundle id, which must be that of the key's app.
    ///
    /// - Throws: `Problem` 422 when it is none, 403 when it is another app's.
    static func bundle(_ text: String, of app: Configuration.App) throws(Problem) -> BundleID {
        let bundle = try identifier(
            BundleID.self,
            text,
            "bundleId",
            "1 to 155 letters, digits, dots, hyphens and underscores"
        )
        guard bundle == app.bundleId else { throw .forbidden }
        return bundle
    }

    /// An environment, one of those in which the app sells.
    static func environment(
        _ text: String?,
        of app: Configuration.App
    ) throws(Problem) -> Contracts.Environment {
        let environment = text.map(Contracts.Environment.init(rawValue:)) ?? .production
        guard app.environments.contains(environment) else {
            let known = app.environments.map(\.rawValue).joined(separator: ", ")
            throw .unacceptable("environment", "must be one of this app's environments: \(known)")
        }
        return environment
    }

    /// The studio's own order number.
    static func reference(_ text: String) throws(Problem) -> String {
        guard text.isPrintable(bytes: Limits.referenceBytes) else {
            throw .unacceptable(
                "reference",
                "must be 1 to \(Limits.referenceBytes.upperBound) bytes of printable text"
            )
        }
        return text
    }

    /// The device that an app receipt was made for.
    static func device(_ text: String) throws(Problem) -> String {
        guard text.isPrintable(bytes: 1...maximumDeviceBytes) else {
            throw .unacceptable("deviceId", "must be 1 to \(maximumDeviceBytes) bytes of printable text")
        }
        return text
    }

    /// The request's `Idempotency-Key`.
    static func idempotencyKey(_ headers: HTTPFields) throws(Problem) -> String {
        let name = "Idempotency-Key"
        guard let header = HTTPField.Name(name), let key = headers[header] else {
            throw .unreadable("The header `\(name)` is missing.", field: name)
        }
        let isPrintable = key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, Limits.idempotencyKeyBytes.contains(key.utf8.count) else {
            let rule = "must be 1 to \(Limits.idempotencyKeyBytes.upperBound) printable ASCII characters"
            throw .unreadable("The header `\(name)` \(rule).", field: name)
        }
        return key
    }

    /// The order that a phone names, as it came: a hint and never an error.
    ///
    /// It travels in events, which are bounded, so what is no order's id for sure loses what is too long or not
    /// printable.
    static func hint(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        if text.isPrintable(bytes: Limits.referenceBytes) { return text }
        let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(printable.prefix(Limits.referenceBytes.upperBound / 4)))
    }
}
