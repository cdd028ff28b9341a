package import Contracts

/// Why a call to the App Store Server API brought no answer; the kind says what to do.
package enum AppStoreServerError: Error, Hashable, Sendable {
    /// Apple understood and says no; the same request will be refused again.
    case rejected(ServerAPIErrorCode)
    /// Apple does not know what was asked for, on the server that was asked. Of a purchase just made this may
    /// not be the last word.
    case notFound(ServerAPIErrorCode)
    /// No answer of Apple's: keep the work, try again then. Never a word on the purchase.
    case unavailable(until: Timestamp, Unavailability)
    /// The app's calls are used up, by our own count or Apple's: keep the work, try again then.
    case rateLimited(until: Timestamp)
    /// Apple does not take the token: a wrong or revoked key, the wrong issuer or bundle id, or, in production,
    /// an app that was never released. An alarm for the operator, never a word on the purchase.
    case unauthorized
    /// Apple's JSON is not what it documents; the one line says where. Keep the work, raise an alarm.
    case malformedAnswer(String)
    /// The caller's task was cancelled.
    case cancelled
}

/// Why Apple was not to be had.
package enum Unavailability: Hashable, Sendable {
    /// Not asked: it has not answered for a while.
    case circuitOpen
    /// Not asked: too many calls are under way.
    case busy
    /// Asked, and no answer came.
    case noAnswer(TransportFailure)
    /// An answer with this HTTP status that carries no error code of Apple's: something in between answered.
    case status(Int)
    /// A success without the JSON that belongs to it: a page for people, rubbish, or nothing.
    case noJSON(status: Int)
    /// An error code with which Apple asks to try again.
    case code(ServerAPIErrorCode)
}
