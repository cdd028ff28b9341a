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
        /// The version of the configuration that it was started with.
        var configuration: String?
        /// Why it does not run, or not well.
        var problem: String?
    }

    /// One partition; all but its number are null when nobody answers for it.
    struct Partition: Encodable, Equatable {
        var partition: Int
        @Nullable var pid: Int32?
        @Nullable var epoch: Int64?
        @Nullable var outbox: Int?
        @Nullable var oldestUnsettledMs: Int64?
        @Nullable var held: Int?
        @Nullable var deadLetters: Int?
        /// The version of the configuration with which the owner runs.
        var configuration: String?
    }

    var services: [Service]
    /// Present, and true, only in a home for tests.
    var testHome: Bool?
    /// Present, and true, only when the files of the home were changed since the group was told what is in them.
    var configurationChanged: Bool?

    /// A report of what partitions answered and which replicas `up` runs, if it runs.
    init(
        answers: [PartitionAddress: PartitionStatus?],
        replicas: [GroupReply.Replica]?,
        isTestHome: Bool
    ) {
        testHome = isTestHome ? true : nil
        services = GroupProgram.allCases.map { program in
            let own = answers.filter { GroupProgram($0.key.service) == program }.sorted { $0.key < $1.key }
            let running = replicas.map { Self.replicas(of: program, $0) }
            return Service(
                service: program,
                replicas: running ?? Self.replicas(own.compactMap(\.value)),
                partitions: own.map { Partition($0.key.partition, $0.value) }
            )
        }
    }

    /// Whether no partition has answered.
    var isSilent: Bool { services.flatMap(\.partitions).allSatisfy { $0.pid == nil } }

    private static func replicas(of program: GroupProgram, _ known: [GroupReply.Replica]) -> [Replica] {
        known.filter { $0.program == program }.sorted { $0.replica < $1.replica }
            .map { known in
                Replica(
                    replica: known.replica,
                    pid: known.pid,
                    configuration: known.configuration,
                    problem: known.problem
                )
            }
    }

    /// Without `up`, those replicas are known that own a partition.
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
    /// The version of the owner's configuration, if it says one.
    fileprivate var knownConfiguration: String? { configuration.isEmpty ? nil : configuration }
}

/// A value that is written as null when it is absent.
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
    /// The report for people.
    var text: String {
        var table = TextTable([
            "PARTITION", "OWNER", "EPOCH", "OUTBOX", "OLDEST UNSETTLED", "HELD", "DEAD LETTERS",
        ])
        for service in services {
            for partition in service.partitions { table.add(Self.row(service.service, partition)) }
        }
        let warning = testHome == true ? ["TEST HOME: purchases here may be fake"] : []
        return (warning + configurationLines + services.map(\.line) + ["", table.text]).joined(
            separator: "\n"
        )
    }

    /// Every version of the configuration with which something runs.
    var configurations: Set<String> {
        Set(
            services.flatMap {
                $0.replicas.compactMap(\.configuration) + $0.partitions.compactMap(\.configuration)
            }
        )
    }

    private var configurationLines: [String] {
        let known = configurations.sorted()
        let versions = known.count == 1 ? "configuration \(known[0])" : nil
        let different =
            "DIFFERENT CONFIGURATIONS run: \(known.joined(separator: ", ")); `counterfoil restart` ends that"
        let changed =
            "the configuration was changed since the group read it; `counterfoil restart` takes it up"
        return [versions, known.count > 1 ? different : nil, configurationChanged == true ? changed : nil]
            .compactMap(\.self)
    }

    private static func row(_ program: GroupProgram, _ partition: Partition) -> [String] {
        let name = "/\(program.rawValue)/\(partition.partition)"
        guard let pid = partition.pid else { return [name, "no answer"] }
        let figures = [partition.epoch, partition.outbox.map(Int64.init), partition.oldestUnsettledMs]
        let counts = [partition.held, partition.deadLetters]
        let cells = figures.map { $0.map(String.init) ?? "-" } + counts.map { $0.map(String.init) ?? "-" }
        return [name, "pid \(pid)", cells[0], cells[1], cells[2] + " ms", cells[3], cells[4]]
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
