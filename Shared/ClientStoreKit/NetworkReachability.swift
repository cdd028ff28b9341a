#if canImport(Network)
internal import Dispatch
internal import Network

/// Tells by `NWPathMonitor` when the network is back.
public struct NetworkReachability: Reachability {
    /// It has no state.
    public init() {}

    /// One element each time that a path is satisfied, also the first time.
    public func recoveries() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in if path.status == .satisfied { continuation.yield() } }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "counterfoil.reachability"))
        }
    }
}
#endif
