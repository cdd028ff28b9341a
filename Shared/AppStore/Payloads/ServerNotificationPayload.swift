package import Contracts
import Domain

/// `responseBodyV2DecodedPayload`: an App Store Server Notification, every documented field.
///
/// It has exactly one part: `data`, `summary`, `externalPurchaseToken`, `appData`, or one that Apple has added since.
/// Types and subtypes are raw values.
package struct ServerNotificationPayload: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {
        case notificationType, subtype, notificationUUID, version, signedDate
        case data, summary, externalPurchaseToken, appData
    }

    package var notificationType: String?
    package var subtype: String?
    package var notificationUUID: String?
    package var version: String?
    package var signedDate: Milliseconds?
    /// About one purchase or subscription.
    package var data: Part?
    /// How a mass extension of renewal dates went.
    package var summary: Part?
    /// A purchase outside the App Store that is to be reported.
    package var externalPurchaseToken: Part?
    /// About the app on one account, as with `RESCIND_CONSENT`.
    package var appData: Part?
    /// A part that this program does not know; nil where a known one names the app.
    package let unknownPart: UnknownPart?

    /// Which app a part is about of which nothing else is known.
    package struct UnknownPart: Hashable, Sendable {
        package let name: String
        let bundleId: String
        let appAppleId: Int64?
        let environment: String?
    }

    /// What a part may say.
    package struct Part: Codable, Hashable, Sendable {
        package var environment: String?
        /// Absent from tests in the sandbox.
        package var appAppleId: Int64?
        package var bundleId: String?
        package var bundleVersion: String?
        /// A separate JWS, which the notification's signature does not cover.
        package var signedTransactionInfo: String?
        /// A separate JWS; absent for what does not renew.
        package var signedRenewalInfo: String?
        /// A separate JWS.
        package var signedAppTransactionInfo: String?
        /// 1: active, 2: expired, 3: billing retry, 4: grace period, 5: revoked.
        package var status: Int?
        /// Why a refund is asked for, with `CONSUMPTION_REQUEST`.
        package var consumptionRequestReason: String?

        package var productId: String?
        package var requestIdentifier: String?
        package var storefrontCountryCodes: [String]?
        package var succeededCount: Int64?
        package var failedCount: Int64?

        package var externalPurchaseId: String?
        package var tokenCreationDate: Milliseconds?
        package var tokenExpirationDate: Milliseconds?
        /// `SERVICES`, `ACQUISITION`, or newer.
        package var tokenType: String?
    }
}

extension ServerNotificationPayload {
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        notificationType = try members.decodeIfPresent(String.self, forKey: .notificationType)
        subtype = try members.decodeIfPresent(String.self, forKey: .subtype)
        notificationUUID = try members.decodeIfPresent(String.self, forKey: .notificationUUID)
        version = try members.decodeIfPresent(String.self, forKey: .version)
        signedDate = try members.decodeIfPresent(Milliseconds.self, forKey: .signedDate)
        data = try members.decodeIfPresent(Part.self, forKey: .data)
        summary = try members.decodeIfPresent(Part.self, forKey: .summary)
        externalPurchaseToken = try members.decodeIfPresent(Part.self, forKey: .externalPurchaseToken)
        appData = try members.decodeIfPresent(Part.self, forKey: .appData)
        let isKnown = (data ?? summary ?? externalPurchaseToken ?? appData)?.bundleId != nil
        unknownPart = isKnown ? nil : try UnknownPart(in: decoder)
    }
}

extension ServerNotificationPayload.UnknownPart {
    private struct Origin: Decodable {
        let bundleId: IfReadable<String>?
        let appAppleId: IfReadable<Int64>?
        let environment: IfReadable<String>?
    }

    /// The member that names an app, the first one by name; nil without one.
    fileprivate init?(in decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: JSONText.Step.self)
        for member in members.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let origin: Origin? = members.readable(member.stringValue)
            guard let origin, let bundleId = origin.bundleId?.value else { continue }
            name = member.stringValue
            self.bundleId = bundleId
            (appAppleId, environment) = (origin.appAppleId?.value, origin.environment?.value)
            return
        }
        return nil
    }
}

extension ServerNotificationPayload: SignedPayload {
    /// Notifications carry two more signed items in base64; Advanced Commerce makes them long.
    package static let maximumBytes = Limits.serverNotificationBytes

    package var signingTime: Timestamp? { signedDate?.timestamp }

    /// The app that it is about; of an external purchase the id's beginning names the environment.
    package var origin: SignedOrigin {
        let part = data ?? summary ?? externalPurchaseToken ?? appData
        let external = part?.externalPurchaseId.map { $0.hasPrefix("SANDBOX") ? "Sandbox" : "Production" }
        return SignedOrigin(
            .notification,
            bundleId: part?.bundleId ?? unknownPart?.bundleId,
            appAppleId: part?.appAppleId ?? unknownPart?.appAppleId,
            environment: part?.environment ?? external ?? unknownPart?.environment
        )
    }

    /// The JWS of `item`, if present.
    package func signed(_ item: SignedItem) -> String? {
        switch item {
        case .signedTransactionInfo: data?.signedTransactionInfo
        case .signedRenewalInfo: data?.signedRenewalInfo
        case .signedAppTransactionInfo: appData?.signedAppTransactionInfo
        }
    }
}
