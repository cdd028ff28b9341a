import Glibc
import TestKit

/// Calls of the system that fail on command, by libfiu.
enum Libfiu {
    static let missing = "libfiu is not installed; `apt-get install fiu-utils` installs it"
    private static let libraries = ["fiu_run_preload.so", "fiu_posix_preload.so"]
    private static let folders = ["/usr/lib/fiu", "/usr/local/lib/fiu"]
    private static let tools = ["/usr/bin/fiu-ctrl", "/usr/local/bin/fiu-ctrl"]

    private static let folder = folders.first { folder in
        libraries.allSatisfy { access("\(folder)/\($0)", R_OK) == 0 }
    }
    private static let tool = tools.first { access($0, X_OK) == 0 }

    static let isInstalled = folder != nil && tool != nil

    /// What lets a program be commanded.
    static func settings(_ home: TestHome) -> LooseGroup.Settings {
        let preload = libraries.map { "\(folder ?? "")/\($0)" }.joined(separator: " ")
        return .init(environment: ["LD_PRELOAD": preload, "FIU_CTRL_FIFO": home.folder + "/fiu"])
    }

    /// Lets a call fail in these programs, in this life of theirs and in all to come.
    static func enable(
        _ point: String,
        failure: String = "",
        in programs: [String],
        of group: LooseGroup
    ) async throws {
        let command = "enable name=\(point)\(failure)"
        for program in programs { group.change(program) { $0.environment["FIU_ENABLE"] = command } }
        for program in programs { try await tell(program, command, of: group) }
    }

    static func disable(_ point: String, in programs: [String], of group: LooseGroup) async throws {
        for program in programs { group.change(program) { $0.environment["FIU_ENABLE"] = nil } }
        for program in programs { try await tell(program, "disable name=\(point)", of: group) }
    }

    private static let attempts = 3

    /// A program that has just ended need not be told.
    ///
    /// One that has just begun may have had its pipe replaced while it was written to, and nobody reads it then: it is
    /// told again, and ended if it never hears, because its next life begins as it was to be told.
    private static func tell(_ program: String, _ command: String, of group: LooseGroup) async throws {
        guard let member = group.member(program), let tool else { return }
        let control = ["-f", group.home.folder + "/fiu", "-c", command, String(member.pid)]
        for _ in 0..<attempts {
            let process = try ChildProcess(tool, control, folder: group.home.folder)
            defer { process.destroy() }
            do {
                try await eventually("\(program) is told", within: .seconds(3)) {
                    process.end != nil || member.end != nil
                }
            } catch is HarnessFault {
                continue
            }
            guard member.end != nil || process.end == .exited(0) else {
                throw HarnessFault("\(program) was not told: \(process.errors)")
            }
            return
        }
        member.send(SIGKILL)
        try await eventually("\(program) ends") { member.end != nil }
    }
}
