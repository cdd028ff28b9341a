import Contracts
import Program

/// What `counterfoil status` says of a host of the group.
struct HostReport: Encodable {
    let address: String
    /// Those of services that have given a sign lately.
    let replicas: Int
    /// Since when none has; absent where none runs, or has ever run.
    let silentMs: Int64?
    /// Why it takes no partition, or should not be there; absent if all is well.
    let problem: String?

    init(_ sight: HostSight) {
        (address, replicas, silentMs, problem) = (sight.address, sight.replicas, sight.silence, sight.problem)
    }

    var line: String {
        guard let silentMs else { return "HOST \(address): no service runs there" }
        guard replicas > 0 else { return "HOST \(address) IS SILENT for \(silentMs / 1_000) s" }
        let state = "\(replicas.counted("replica")) of services, the last sign \(silentMs) ms ago"
        return problem.map { "HOST \(address): \($0); \(state)" } ?? "host \(address): \(state)"
    }
}
