/// Why Apple was not available.
package enum UnavailabilityReason: Hashable, Sendable {
    /// Not asked: it has not responded for a while.
    case circuitOpen
    /// Not asked: too many calls are in flight.
    case busy
    case noResponse(TransportFailure)
    /// Without an error code from Apple: a proxy responded.
    case status(Int)
    /// A success without the expected JSON.
    case noJSON(status: Int)
    /// Apple asks to try again.
    case code(ServerAPIErrorCode)
}
