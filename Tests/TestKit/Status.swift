/// What `counterfoil status --json` prints.
package struct Status: Decodable, Sendable {
    package struct Service: Decodable, Sendable {
        package let service: String
        package let replicas: [Replica]
        package let partitions: [Partition]
    }

    package struct Replica: Decodable, Sendable {
        package let replica: Int
        package let pid: Int32?
        package let configuration: String?
    }

    package struct Partition: Decodable, Sendable {
        package let partition: Int
        package let pid: Int32?
        package let epoch: Int64?
        package let outbox: Int?
        package let delayed: Int?
        package let deadLetters: Int?
        package let configuration: String?
    }

    package let services: [Service]

    package subscript(_ name: String) -> Service? { services.first { $0.service == name } }

    package func processes(of name: String) -> [Int32] { self[name]?.replicas.compactMap(\.pid) ?? [] }

    /// The versions of the configuration with which something runs.
    package var configurations: Set<String> {
        Set(
            services.flatMap { $0.replicas.map(\.configuration) + $0.partitions.map(\.configuration) }.map {
                $0 ?? "-"
            }
        )
    }

    /// Whether every partition has an owner, and nothing waits or is dead.
    package var isAtRest: Bool {
        services.flatMap(\.partitions).allSatisfy { $0.outbox == 0 && $0.delayed == 0 && $0.deadLetters == 0 }
    }
}

/// One line of `counterfoil trace --json`.
package struct TraceLine: Decodable, Hashable, Sendable {
    package let time: String
    package let service: String
    package let partition: Int
    package let type: String
    package let id: String
    package let causationid: String?
}
