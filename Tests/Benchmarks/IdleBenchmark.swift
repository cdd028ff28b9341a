import ArgumentParser
import Foundation
import Glibc

/// `counterfoil-bench idle`: what a group costs that has nothing to do.
struct Idle: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "Measures processor time and memory of a group that has nothing to do."
    )

    /// What was measured.
    struct Result: Encodable {
        /// Of one core, all processes of the group together, `counterfoil up` included.
        let cpuPercent: Double
        /// The largest process.
        let pssMB: Double
        let pssMBOf: [String: Double]
    }

    @Option(help: "Seconds to measure.")
    var seconds: Double = 10

    @Option(help: "Purchases before, so that every part has worked.")
    var purchases = 1_000

    @Option(help: "Seconds of rest before.")
    var rest: Double = 5

    func run() throws {
        try report(
            try BenchmarkGroup.run { group in
                if purchases > 0 { _ = try Load(group: group).run(purchases: purchases) }
                usleep(UInt32(rest * 1_000_000))
                return try measure(try figures(of: group))
            }
        )
    }

    private func figures(of group: BenchmarkGroup) throws -> [String: ProcessFigures] {
        let processes = try group.processes()
        var figures: [String: ProcessFigures] = [:]
        for (program, pids) in processes {
            for (replica, pid) in pids.enumerated() {
                figures["\(program).\(replica)"] = ProcessFigures(pid: pid)
            }
        }
        guard let any = figures.values.first else {
            throw SiblingProgram.Failure(description: "the group does not run")
        }
        figures["up"] = ProcessFigures(pid: try any.parent())
        return figures
    }

    private func measure(_ processes: [String: ProcessFigures]) throws -> Result {
        let before = try processes.values.map { try $0.processorSeconds() }.reduce(0, +)
        let start = ContinuousClock.now
        usleep(UInt32(seconds * 1_000_000))
        let after = try processes.values.map { try $0.processorSeconds() }.reduce(0, +)
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        let memory = try processes.mapValues { (try $0.pssBytes() / 100_000).rounded() / 10 }
        return Result(
            cpuPercent: ((after - before) / elapsed * 10_000).rounded() / 100,
            pssMB: memory.values.max() ?? 0,
            pssMBOf: memory
        )
    }
}

/// What the kernel says about a process.
struct ProcessFigures {
    let pid: Int32

    /// Fields of `/proc/<pid>/stat` after the name, which stands in brackets; the state is first.
    private func stat() throws -> [Substring] {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    /// The process that started it.
    func parent() throws -> Int32 { Int32(try field(1)) }

    /// Seconds in user and in system mode since it began.
    func processorSeconds() throws -> Double {
        Double(try field(11) + field(12)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private func field(_ number: Int) throws -> Int {
        let fields = try stat()
        guard fields.indices.contains(number), let value = Int(fields[number]) else {
            throw SiblingProgram.Failure(description: "/proc/\(pid)/stat is not as it should be")
        }
        return value
    }

    /// Its resident memory now, shared pages included.
    func residentBytes() throws -> Double { try kilobytes("VmRSS:", of: "status") * 1_024 }

    /// The most that its resident memory ever was.
    func peakResidentBytes() throws -> Double { try kilobytes("VmHWM:", of: "status") * 1_024 }

    /// Its share of the memory: pages that several processes use count in part.
    func pssBytes() throws -> Double { try kilobytes("Pss:", of: "smaps_rollup") * 1_024 }

    private func kilobytes(_ name: String, of file: String) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        let fields = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard fields.count > 1, let kilobytes = Double(fields[1]) else {
            throw SiblingProgram.Failure(description: "/proc/\(pid)/\(file) has no \(name)")
        }
        return kilobytes
    }
}
