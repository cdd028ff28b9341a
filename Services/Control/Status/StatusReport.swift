import Contracts

/// What `counterfoil status` prints.
struct StatusReport: Encodable {
    struct Service: Encodable {
        let service: GroupProgram
        let replicas: [Replica]
        let partitions: [Partition]
    }

    struct Replica: Encodable {
        let replica: Int
        /// Null while it is not running.
        let pid: Int32?
        /// The configuration version of its start.
        let configuration: String?
        /// Why it does not run, or not well.
        var problem: String?

        private enum CodingKeys: CodingKey { case replica, pid, configuration, problem }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(replica, forKey: .replica)
            try container.encode(pid, forKey: .pid)
            try container.encodeIfPresent(configuration, forKey: .configuration)
            try container.encodeIfPresent(problem, forKey: .problem)
        }
    }

    /// All but the number are null when no owner answers.
    struct Partition: Encodable {
        let partition: Int
        let status: PartitionStatus?
        /// The last entry of its commit log; nil where it has none, or nobody tells.
        var head: Int64?
        /// Where its owner is, by the log; nil where the group has one host.
        var host: String?

        private enum CodingKeys: CodingKey {
            case partition, pid, epoch, outbox, oldestUnsettledMs, unansweredLinks, quarantinedLinks, delayed
            case parkedWork, deadLetters
            case configuration
            case head, position, lag, host
        }

        /// How many entries its owner does not know yet.
        fileprivate var lag: Int64? {
            guard let head, let position = status?.logPosition else { return nil }
            return max(0, head - position)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(partition, forKey: .partition)
            try container.encode(status?.pid, forKey: .pid)
            try container.encode(status?.epoch, forKey: .epoch)
            try container.encode(status?.outbox, forKey: .outbox)
            try container.encode(status?.oldestUnsettledMs, forKey: .oldestUnsettledMs)
            try container.encode(status?.unansweredLinks, forKey: .unansweredLinks)
            try container.encode(status?.quarantinedLinks, forKey: .quarantinedLinks)
            try container.encode(status?.delayed, forKey: .delayed)
            try container.encode(status?.parkedWork, forKey: .parkedWork)
            try container.encode(status?.deadLetters, forKey: .deadLetters)
            try container.encodeIfPresent(status?.knownConfiguration, forKey: .configuration)
            try container.encodeIfPresent(head, forKey: .head)
            try container.encodeIfPresent(status?.logPosition, forKey: .position)
            try container.encodeIfPresent(lag, forKey: .lag)
            try container.encodeIfPresent(host, forKey: .host)
        }
    }

    static let changedConfiguration =
        "the configuration was changed since the group read it; `counterfoil restart` takes it up"

    let services: [Service]
    let waiting: WaitingCounts
    /// Present and true only in a home for tests.
    let testHome: Bool?
    /// Present and true only when the home's files changed since the group read them.
    var configurationChanged: Bool?
    /// Present only where commits are kept in PostgreSQL, too.
    let log: LogReport?
    /// Present only where the group has several hosts.
    let hosts: [HostReport]?

    /// `known` is nil when `up` does not run: then only replicas that own a partition are known.
    init(
        answers: PartitionAnswers<PartitionStatus>,
        replicas known: [SupervisorReply.Replica]?,
        isTestHome: Bool,
        log: LogReport? = nil
    ) {
        self.log = log
        hosts = log.flatMap { $0.hosts.isEmpty ? nil : $0.hosts }
        testHome = isTestHome ? true : nil
        waiting = WaitingCounts(Array(answers.replies.values))
        services = GroupProgram.allCases.map { program in
            let own = answers.addresses.filter { $0.service == program.service }.sorted()
            let statuses = own.compactMap { answers.replies[$0] }
            let owners = Dictionary(statuses.map { ($0.replica, $0) }) { first, _ in first }
            let running = known?.filter { $0.program == program }.map {
                Replica(
                    replica: $0.replica,
                    pid: $0.pid,
                    configuration: $0.configuration,
                    problem: $0.problem
                )
            }
            let replicas =
                running
                ?? owners.map { Replica(replica: $0, pid: $1.pid, configuration: $1.knownConfiguration) }
            return Service(
                service: program,
                replicas: replicas.sorted { $0.replica < $1.replica },
                partitions: own.map { address in
                    Partition(
                        partition: address.partition,
                        status: answers.replies[address],
                        head: log?.head(of: address),
                        host: log?.host(ofOwner: address)
                    )
                }
            )
        }
    }

    var isSilent: Bool { services.flatMap(\.partitions).allSatisfy { $0.status == nil } }

    var configurations: Set<String> {
        let replicas = services.flatMap(\.replicas).compactMap(\.configuration)
        return Set(replicas + services.flatMap(\.partitions).compactMap { $0.status?.knownConfiguration })
    }

    var text: String {
        let header =
            ["PARTITION", "OWNER", "EPOCH", "OUTBOX", "OLDEST UNSETTLED", "DELAYED", "DEAD LETTERS"]
            + (log == nil ? [] : ["HEAD", "POSITION", "LAG"])
        let rows = services.flatMap { service in service.partitions.map { $0.row(of: service.service) } }
        let warning = testHome == true ? ["TEST HOME: purchases here may be fake"] : []
        let lines = warning + (log?.lines ?? []) + configurationLines + services.map(\.line)
        let table = ["", TextTable(header, rows).text]
        return (lines + linkLines + parkedLines + waiting.lines + table).joined(separator: "\n")
    }

    private var linkLines: [String] {
        services.flatMap { service in service.partitions.flatMap { $0.linkLines(of: service.service) } }
    }

    private var parkedLines: [String] {
        services.flatMap { service in service.partitions.compactMap { $0.parkedLine(of: service.service) } }
    }

    private var configurationLines: [String] {
        let known = configurations.sorted()
        var lines = known.count == 1 ? ["configuration \(known[0])"] : []
        if known.count > 1 {
            let versions = known.joined(separator: ", ")
            lines.append("DIFFERENT CONFIGURATIONS run: \(versions); `counterfoil restart` ends that")
        }
        if configurationChanged == true { lines.append(Self.changedConfiguration) }
        return lines
    }
}

extension PartitionStatus {
    fileprivate var knownConfiguration: String? { configuration.isEmpty ? nil : configuration }
}

extension StatusReport.Partition {
    private func name(of program: GroupProgram) -> String { "/\(program.rawValue)/\(partition)" }

    /// Its links that have had no answer for 10 s, and how many of them are quarantined.
    fileprivate func linkLines(of program: GroupProgram) -> [String] {
        guard let status else { return [] }
        let name = name(of: program)
        let unanswered = status.unansweredLinks.map { "NO ANSWER on the link \(name) → \($0)" }
        let count = status.quarantinedLinks
        guard count > 0 else { return unanswered }
        let advice = "`counterfoil links list` says why"
        return unanswered + ["QUARANTINED: \(count) of the links of \(name); \(advice)"]
    }

    /// How much of its work is parked; nil where none is.
    fileprivate func parkedLine(of program: GroupProgram) -> String? {
        guard let count = status?.parkedWork, count > 0 else { return nil }
        let work = count.counted("piece")
        return "PARKED WORK: \(work) of \(name(of: program)); `counterfoil delayed list` says why"
    }

    fileprivate func row(of program: GroupProgram) -> [String] {
        let name = name(of: program)
        let place = host.map { "\($0) " } ?? ""
        guard let status else { return [name, place + "no answer"] }
        return [
            name, "\(place)pid \(status.pid)", "\(status.epoch)", "\(status.outbox)",
            "\(status.oldestUnsettledMs) ms", "\(status.delayed)", "\(status.deadLetters)",
        ] + [head, status.logPosition, lag].map { $0.map(String.init) ?? "" }
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
