import Contracts

/// What `counterfoil status --json` prints.
struct StatusReport: Encodable, Equatable {
    struct Service: Encodable, Equatable {
        var service: GroupProgram
        var replicas: [Replica]
        var partitions: [Partition]
    }

    struct Replica: Encodable, Equatable {
        var replica: Int
        /// Null while it is not running.
        @Nullable var pid: Int32?
        /// The configuration version of its start.
        var configuration: String?
        /// Why it does not run, or not well.
        var problem: String?
    }

    /// All but the number are null when no owner answers.
    struct Partition: Encodable, Equatable {
        var partition: Int
        @Nullable var pid: Int32?
        @Nullable var epoch: Int64?
        @Nullable var outbox: Int?
        @Nullable var oldestUnsettledMs: Int64?
        @Nullable var held: Int?
        @Nullable var deadLetters: Int?
        /// The configuration version of the owner.
        var configuration: String?
    }

    var services: [Service]
    /// Present and true only in a home for tests.
    var testHome: Bool?
    /// Present and true only when the home's files changed since the group read them.
    var configurationChanged: Bool?

    /// `replicas` is nil when `up` does not run.
    init(
        answers: [PartitionAddress: PartitionStatus?],
        replicas: [SupervisorReply.Replica]?,
        isTestHome: Bool
    ) {
        testHome = isTestHome ? true : nil
        services = GroupProgram.allCases.map { program in
            let own = answers.filter { $0.key.service == program.service }.sorted { $0.key < $1.key }
            let running = replicas.map { Self.replicas(of: program, $0) }
            return Service(
                service: program,
                replicas: running ?? Self.replicas(own.compactMap(\.value)),
                partitions: own.map { Partition($0.key.partition, $0.value) }
            )
        }
    }

    var isSilent: Bool { services.flatMap(\.partitions).allSatisfy { $0.pid == nil } }

    private static func replicas(
        of program: GroupProgram,
        _ known: [SupervisorReply.Replica]
    ) -> [Replica] {
        known.filter { $0.program == program }.sorted { $0.replica < $1.replica }.map {
            Replica(
                replica: $0.replica,
                pid: $0.pid,
                configuration: $0.configuration,
                problem: $0.problem
            )
        }
    }

    /// Without `up`, only replicas that own a partition are known.
    private static func replicas(_ statuses: [PartitionStatus]) -> [Replica] {
        Dictionary(statuses.map { ($0.replica, $0) }, uniquingKeysWith: { first, _ in first })
            .sorted { $0.key < $1.key }
            .map { Replica(replica: $0, pid: $1.pid, configuration: $1.knownConfiguration) }
    }
}

extension StatusReport.Partition {
    init(_ partition: Int, _ status: PartitionStatus?) {
        self.init(
            partition: partition,
            pid: status?.pid,
            epoch: status?.epoch,
            outbox: status?.outbox,
            oldestUnsettledMs: status?.oldestUnsettledMs,
            held: status?.held,
            deadLetters: status?.deadLetters,
            configuration: status?.knownConfiguration
        )
    }
}

extension PartitionStatus {
    fileprivate var knownConfiguration: String? { configuration.isEmpty ? nil : configuration }
}

/// Encodes nil as null instead of omitting it.
@propertyWrapper
struct Nullable<Value: Encodable & Equatable>: Encodable, Equatable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension StatusReport {
    var text: String {
        let header = ["PARTITION", "OWNER", "EPOCH", "OUTBOX", "OLDEST UNSETTLED", "HELD", "DEAD LETTERS"]
        let rows = services.flatMap { service in service.partitions.map { Self.row(service.service, $0) } }
        let warning = testHome == true ? ["TEST HOME: purchases here may be fake"] : []
        let lines = warning + configurationLines + services.map(\.line)
        return (lines + ["", TextTable(header, rows).text]).joined(separator: "\n")
    }

    var configurations: Set<String> {
        Set(
            services.flatMap {
                $0.replicas.compactMap(\.configuration) + $0.partitions.compactMap(\.configuration)
            }
        )
    }

    private var configurationLines: [String] {
        let known = configurations.sorted()
        var lines = known.count == 1 ? ["configuration \(known[0])"] : []
        if known.count > 1 {
            let versions = known.joined(separator: ", ")
            lines.append("DIFFERENT CONFIGURATIONS run: \(versions); `counterfoil restart` ends that")
        }
        if configurationChanged == true {
            lines.append(
                "the configuration was changed since the group read it; `counterfoil restart` takes it up"
            )
        }
        return lines
    }

    private static func row(_ program: GroupProgram, _ partition: Partition) -> [String] {
        let name = "/\(program.rawValue)/\(partition.partition)"
        guard let pid = partition.pid else { return [name, "no answer"] }
        func cell(_ number: (some BinaryInteger)?) -> String { number.map { "\($0)" } ?? "-" }
        let oldest = cell(partition.oldestUnsettledMs) + " ms"
        return [name, "pid \(pid)", cell(partition.epoch), cell(partition.outbox), oldest]
            + [cell(partition.held), cell(partition.deadLetters)]
    }
}

extension StatusReport.Service {
    fileprivate var line: String {
        let list = replicas.map { replica in
            let version = replica.configuration.map { ", configuration \($0)" } ?? ""
            let problem = replica.problem.map { ", \($0)" } ?? ""
            return "\(replica.replica) (pid \(replica.pid.map(String.init) ?? "-")\(version)\(problem))"
        }
        return "\(service.rawValue): replicas " + (list.isEmpty ? "none seen" : list.joined(separator: ", "))
    }
}
