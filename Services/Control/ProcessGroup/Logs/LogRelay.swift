import Contracts
import Delivery
import FoundationEssentials
import Glibc
import Program
import SystemPackage

/// Copies every replica's output to its file and, with the replica's name, to our standard output.
final class LogRelay {
    private static let width = 15
    private static let colors: [GroupProgram: Int] = [
        .orders: 32, .receipts: 33, .entitlements: 35, .notifications: 36, .gateway: 34,
    ]

    private let home: Home
    private let isColored = isatty(STDOUT_FILENO) == 1
    private var files: [String: LogFile] = [:]

    init(home: Home) { self.home = home }

    /// A line of a replica; it may contain untrusted text.
    func relay(_ line: String, from replica: ReplicaName) {
        let line = LogText.escaped(line)
        file(replica.program.rawValue, replica.number)?.add(line)
        show(line, as: replica.description, color: Self.colors[replica.program])
    }

    func report(_ line: String) {
        let stamped = "\(ClockReading.current().now.rfc3339) info up \(line)"
        file("up", 0)?.add(stamped)
        show(stamped, as: "up", color: nil)
    }

    /// Prints a line without a name before it, for the caller of `up`.
    func announce(_ line: String) {
        file("up", 0)?.add(line)
        put(line)
    }

    private func show(_ line: String, as name: String, color: Int?) {
        let prefix = name.padding(toLength: Self.width) + " |"
        put((isColored ? color.map { "\u{1B}[\($0)m\(prefix)\u{1B}[0m" } ?? prefix : prefix) + " " + line)
    }

    /// Ignores write errors: a closed terminal is no reason to end the group.
    private func put(_ line: String) {
        do { try FileDescriptor.standardOutput.writeAll((line + "\n").utf8) } catch { return }
    }

    /// Nil when it cannot be opened, which must not end the group.
    private func file(_ program: String, _ replica: Int) -> LogFile? {
        let path = home.log(of: program, replica: replica)
        if let file = files[path] { return file }
        do { files[path] = try LogFile(path: path) } catch { return nil }
        return files[path]
    }
}
