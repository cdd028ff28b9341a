/// What `counterfoil status --json` prints.
struct Status: Decodable {
    struct Service: Decodable {
        let service: String
        let replicas: [Replica]
        let partitions: [Partition]
    }

    struct Replica: Decodable {
        let replica: Int
        let pid: Int32?
        let configuration: String?
    }

    struct Partition: Decodable {
        let partition: Int
        let pid: Int32?
        let epoch: Int64?
        let outbox: Int?
        let held: Int?
        let deadLetters: Int?
        let configuration: String?
    }

    let services: [Service]

    /// One program's part.
    subscript(_ name: String) -> Service? { services.first { $0.service == name } }

    /// The process of a program's only replica.
    func pid(of name: String) -> Int32? { self[name]?.replicas.first?.pid }

    /// The versions of the configuration with which something runs.
    var configurations: Set<String> {
        Set(
            services.flatMap { $0.replicas.map(\.configuration) + $0.partitions.map(\.configuration) }.map {
                $0 ?? "-"
            }
        )
    }

    /// Whether every partition has an owner, and nothing waits or is dead.
    var isAtRest: Bool {
        services.flatMap(\.partitions).allSatisfy { $0.outbox == 0 && $0.held == 0 && $0.deadLetters == 0 }
    }
}

/// One line of `counterfoil trace --json`.
struct TraceLine: Decodable, Hashable {
    let time: String
    let service: String
    let partition: Int
    let type: String
    let id: String
    let causationid: String?
}
