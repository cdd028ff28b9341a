import Domain
import Hummingbird
import NIOCore

/// The largest body, in bytes.
struct BodyLimit {
    private static let smallBytes = 64 << 10

    /// Everything but proofs and notifications.
    static let small = BodyLimit(rawValue: smallBytes)
    /// Apple's notifications; most have some 20 KiB, and every byte of a stranger counts.
    static let serverNotification = BodyLimit(rawValue: Limits.serverNotificationBytes, uncountedBytes: 0)
    /// All that its partition is sent of it fits into a message.
    static let receipt = BodyLimit(rawValue: Limits.requestBytes - (1 << 20))

    let rawValue: Int
    /// The size up to which a body is not counted as in flight; the limit on requests is enough for small ones.
    var uncountedBytes = smallBytes

    var exceeded: Problem { .tooLarge(limit: rawValue) }
}
