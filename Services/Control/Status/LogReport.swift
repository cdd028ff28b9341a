import Contracts
import Program

/// What `counterfoil status` says of the group's commit log.
struct LogReport: Encodable {
    private let server: String?
    private let timeline: Int64?
    private let standbys: [Standby]?
    /// Why what is acknowledged may be lost with one machine; absent if it may not.
    private let weakness: String?
    /// Why nobody knows how the log is; absent if somebody does.
    private let problem: String?
    /// By partition, such as `/orders/3`: why nobody may claim it before an operator has looked.
    private let quarantines: [String: String]?
    private let heads: [PartitionAddress: Int64]
    private let owners: [PartitionAddress: String]
    /// None where the group has one, or nobody knows.
    let hosts: [HostReport]

    private enum CodingKeys: CodingKey { case server, timeline, standbys, weakness, problem, quarantines }

    init(_ sight: LogSight) {
        (server, timeline, weakness, problem) = (sight.server, sight.timeline, sight.weakness, nil)
        standbys = sight.standbys
        (heads, owners) = (sight.heads, sight.owners)
        hosts = sight.hosts.map(HostReport.init)
        let reasons = sight.quarantines.map { ("\($0.key)", $0.value) }
        quarantines = reasons.isEmpty ? nil : Dictionary(uniqueKeysWithValues: reasons)
    }

    init(problem: String) {
        (server, timeline, weakness, standbys, quarantines, heads) = (nil, nil, nil, nil, nil, [:])
        (owners, hosts) = ([:], [])
        self.problem = problem
    }

    /// The last entry of a partition's log.
    func head(of partition: PartitionAddress) -> Int64? { heads[partition] }

    /// The host of a partition's owner, where the group has several.
    func host(ofOwner partition: PartitionAddress) -> String? { owners[partition] }

    var lines: [String] {
        if let problem { return ["THE COMMIT LOG cannot be used: \(problem)"] }
        let place = "commit log on \(server ?? "")" + (timeline.map { ", timeline \($0)" } ?? "")
        let warning = weakness.map { "ONE MACHINE: what is acknowledged may be lost with it; \($0)" }
        let lost = (quarantines ?? [:]).sorted { $0.key < $1.key }
            .map { "QUARANTINED \($0.key): \($0.value)" }
        return [place + standbyText] + [warning].compactMap(\.self) + lost + hosts.map(\.line)
    }

    private var standbyText: String {
        guard let standbys else { return "" }
        if standbys.isEmpty { return ", NO STANDBY follows" }
        let names = standbys.map { standby in
            let facts = [standby.state, standby.lagBytes.map { "\($0) bytes behind" } ?? ""].filter {
                !$0.isEmpty
            }
            let name = standby.name.isEmpty ? "one of unknown name" : standby.name
            return facts.isEmpty ? name : "\(name) (\(facts.joined(separator: ", ")))"
        }
        return ", \(standbys.count == 1 ? "standby" : "standbys") \(names.joined(separator: ", "))"
    }
}
