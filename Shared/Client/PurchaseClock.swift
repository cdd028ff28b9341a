#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Time, as the kit needs it.
public protocol PurchaseClock: Sendable {
    /// Milliseconds since 1970.
    func now() -> Int64
    /// Returns after so many ms, or earlier if the task is cancelled.
    func pause(milliseconds: Int64) async
}

/// The system's time.
public struct SystemPurchaseClock: PurchaseClock {
    /// It has no state.
    public init() {}

    /// The system's time in ms since 1970.
    public func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    /// Waits in a task that may be cancelled.
    public func pause(milliseconds: Int64) async {
        let nanoseconds = UInt64(min(max(milliseconds, 0), .max / 1_000_000)) * 1_000_000
        // Cancelled early is returned early; nothing else is thrown.
        do { try await Task.sleep(nanoseconds: nanoseconds) } catch {}
    }
}

/// Tells when the network is back.
public protocol Reachability: Sendable {
    /// One element each time that the network is back.
    func recoveries() -> AsyncStream<Void>
}

extension KeptPurchase {
    /// A UUID in lower case, as StoreKit's adapter gives it back.
    static func newToken() -> String { UUID().uuidString.lowercased() }
}
