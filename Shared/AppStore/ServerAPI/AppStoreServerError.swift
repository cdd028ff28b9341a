package import Contracts

/// Why a request to the App Store Server API brought no response; the case says what to do.
package enum AppStoreServerError: Error, Hashable, Sendable {
    /// Apple will refuse the same request again.
    case rejected(ServerAPIErrorCode)
    /// This server does not know it. For a new purchase this may change.
    case notFound(ServerAPIErrorCode)
    /// No response from Apple: record the work, try again then. It says nothing about the purchase.
    case unavailable(until: Timestamp, UnavailabilityReason)
    /// Our own or Apple's rate limit: record the work, try again then.
    case rateLimited(until: Timestamp)
    /// A wrong or revoked key, issuer or bundle id, or, in production, an app that was never released. An
    /// alarm for the operator; it says nothing about the purchase.
    case unauthorized
    /// Apple's JSON is not as documented; the line says where. Record the work, raise an alarm.
    case malformedResponse(String)
    case cancelled
}
