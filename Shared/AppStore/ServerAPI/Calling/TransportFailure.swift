/// Why there is no response; the server may still have handled the request.
package enum TransportFailure: String, Error, Hashable, Sendable {
    case timedOut
    case unreachable
    case tooLarge
    case cancelled
}
