import LoadVerdict
import NIOHTTP1
import TestKit

/// What the processes of a group have used, and what their partitions have done, since their start.
struct CostFigures {
    /// By program, then by name of the cost.
    private var figures: [String: [String: Double]] = [:]
    /// Microseconds since 1970.
    let time: Int64

    init(of group: TestGroup) async throws {
        let status = try await group.status()
        time = WallClock.microseconds
        figures["up"] = try Self.kernelFigures(of: [group.up.pid])
        for service in status.services {
            figures[service.service] = try Self.kernelFigures(of: status.processes(of: service.service))
        }
        let metrics = try await HTTPConnections(to: group.home.operationsURL).send(.GET, "/metrics")
        guard metrics.isPositive else { throw HarnessFault("/metrics: \(metrics.status) \(metrics.text)") }
        for line in metrics.text.split(separator: "\n") { add(line) }
    }

    private static func kernelFigures(of processes: [Int32]) throws -> [String: Double] {
        var sum: [String: Double] = [:]
        for process in processes.map(ProcessFigures.init) {
            let switches = try process.contextSwitches()
            let figures = [
                "cpu_microseconds": try process.processorSeconds() * 1_000_000,
                "voluntary_switches": switches.voluntary,
                "involuntary_switches": switches.involuntary,
                "bytes_written": try process.bytesWritten(),
            ]
            sum.merge(figures, uniquingKeysWith: +)
        }
        return sum
    }

    /// Adds a counter of a partition, or of the gateway.
    private mutating func add(_ line: Substring) {
        guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]),
            let match = line.firstMatch(
                of:
                    #/^counterfoil_(?:partition_(?<counter>\w+)|gateway_(?<own>encodes|decodes))_total\{(?<labels>.*)\}/#
            )
        else { return }
        let service = match.labels.firstMatch(of: #/service="(\w+)"/#).map { String($0.1) } ?? "gateway"
        guard let counter = match.counter ?? match.own else { return }
        let name = String(counter).replacing("process_", with: "")
        // Every partition says the same of its process.
        let isOfProcess = counter.hasPrefix("process_")
        figures[service, default: [:]][name, default: 0] =
            isOfProcess ? value : (figures[service]?[name] ?? 0) + value
    }

    /// What has come since then.
    func since(_ earlier: CostFigures) -> CostFigures {
        var difference = self
        for (program, names) in figures {
            for (name, value) in names {
                difference.figures[program]?[name] = value - (earlier.figures[program]?[name] ?? 0)
            }
        }
        return difference
    }

    /// By program and in sum.
    func costs(per purchases: Double) -> [String: [String: Double]] {
        var costs = figures.mapValues { names in
            names.filter { !Self.timesOfBatches.contains($0.key) }.mapValues { ($0 / purchases).tenths }
        }
        let sum = costs.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        costs["sum"] = sum.mapValues(\.tenths)
        return costs
    }

    private static let timesOfBatches: Set = ["handling_microseconds", "commit_microseconds"]

    /// By service.
    var batches: [String: BatchMeans] {
        figures.compactMapValues { names in
            guard let batches = names["batches"], let commits = names["commits"], batches > 0, commits > 0
            else { return nil }
            return BatchMeans(
                inputs: ((names["inputs"] ?? 0) / batches).hundredths,
                handlingMs: ((names["handling_microseconds"] ?? 0) / batches / 1_000).hundredths,
                commitMs: ((names["commit_microseconds"] ?? 0) / commits / 1_000).hundredths
            )
        }
    }
}

extension Double {
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}
