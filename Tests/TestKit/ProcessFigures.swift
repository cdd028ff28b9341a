import Foundation
import Glibc

/// What the kernel says about a process.
package struct ProcessFigures: Sendable {
    private let pid: Int32

    package init(pid: Int32) { self.pid = pid }

    /// Fields of `/proc/<pid>/stat` after the name, which stands in brackets; the state is first.
    private func stat() throws -> [Substring] {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    /// Seconds in user and in system mode since it began.
    package func processorSeconds() throws -> Double {
        Double(try field(11) + field(12)) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Context switches of its living threads since they began.
    package func contextSwitches() throws -> (voluntary: Double, involuntary: Double) {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
        let figures = threads.compactMap { thread -> (Double, Double)? in
            let file = "task/\(thread)/status"
            do {
                let voluntary = try number("voluntary_ctxt_switches:", of: file)
                return (voluntary, try number("nonvoluntary_ctxt_switches:", of: file))
            } catch {
                // The thread has ended meanwhile.
                return nil
            }
        }
        return (figures.map(\.0).reduce(0, +), figures.map(\.1).reduce(0, +))
    }

    /// Bytes that it made the kernel write to disks since it began.
    package func bytesWritten() throws -> Double { try number("write_bytes:", of: "io") }

    private func field(_ number: Int) throws -> Int {
        let fields = try stat()
        guard fields.indices.contains(number), let value = Int(fields[number]) else {
            throw HarnessFault("/proc/\(pid)/stat is not as it should be")
        }
        return value
    }

    /// Its resident memory now, shared pages included.
    package func residentBytes() throws -> Double { try number("VmRSS:", of: "status") * 1_024 }

    /// The most that its resident memory ever was.
    package func peakResidentBytes() throws -> Double { try number("VmHWM:", of: "status") * 1_024 }

    /// Its share of the memory: pages that several processes use count in part.
    package func pssBytes() throws -> Double { try number("Pss:", of: "smaps_rollup") * 1_024 }

    private func number(_ name: String, of file: String) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/\(file)", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        let fields = line?.split(whereSeparator: \.isWhitespace) ?? []
        guard fields.count > 1, let number = Double(fields[1]) else {
            throw HarnessFault("/proc/\(pid)/\(file) has no \(name)")
        }
        return number
    }
}
