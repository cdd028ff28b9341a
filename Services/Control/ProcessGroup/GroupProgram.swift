import ArgumentParser
import Contracts

/// The programs that make up a running group; the gateway goes first in ending and last in starting.
enum GroupProgram: String, CaseIterable, Codable, Hashable, Sendable, ExpressibleByArgument {
    case orders, receipts, entitlements, notifications, gateway

    /// The service with partitions that the program is; nil for the gateway.
    var service: ServiceName? { ServiceName(rawValue: rawValue) }

    var executable: String { "counterfoil-\(rawValue)" }
}

/// One running copy of a program, written `orders.0`.
struct ReplicaName: Hashable, Comparable, CustomStringConvertible, Sendable {
    let program: GroupProgram
    let number: Int

    var description: String { "\(program.rawValue).\(number)" }

    static func < (left: ReplicaName, right: ReplicaName) -> Bool {
        (left.program.rawValue, left.number) < (right.program.rawValue, right.number)
    }
}
