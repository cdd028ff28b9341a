package import Contracts

/// Why a request to the App Store Server API brought no response; the case says what to do.
package enum AppStoreServerError: Error, Hashable, Sendable {
    /// Apple understood and says no; the same request will be refused again.
    case rejected(ServerAPIErrorCode)
    /// Apple does not know what was asked for, on this server. Of a purchase just made this may not be the last word.
    case notFound(ServerAPIErrorCode)
    /// No response of Apple's: record the work, try again then. It says nothing about the purchase.
    case unavailable(until: Timestamp, UnavailabilityReason)
    /// The app's calls are used up, by our own count or Apple's: record the work, try again then.
    case rateLimited(until: Timestamp)
    /// Apple does not take the token: a wrong or revoked key, the wrong issuer or bundle id, or, in production,
    /// an app that was never released. An alarm for the operator; it says nothing about the purchase.
    case unauthorized
    /// Apple's JSON is not what it documents; the one line says where. Record the work, raise an alarm.
    case malformedResponse(String)
    /// The caller's task was cancelled.
    case cancelled
}

/// Why Apple was not available.
package enum UnavailabilityReason: Hashable, Sendable {
    /// Not asked: it has not responded for a while.
    case circuitOpen
    /// Not asked: too many calls are in flight.
    case busy
    /// Asked, and no response came.
    case noResponse(TransportFailure)
    /// A response with this HTTP status without an error code of Apple's: something in between responded.
    case status(Int)
    /// A success without the JSON that belongs to it: a page for people, rubbish, or nothing.
    case noJSON(status: Int)
    /// An error code with which Apple asks to try again.
    case code(ServerAPIErrorCode)
}
