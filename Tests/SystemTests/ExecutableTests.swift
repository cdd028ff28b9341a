import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// Every program by itself: how it helps, complains and ends.
    @Suite struct ExecutableTests {
        /// All programs of a user; nil is `counterfoil` itself.
        static let programs: [String?] = [nil] + Executables.group

        static let broken = [
            "{", "[]", "{}", #"{"partitions":0,"apps":[]}"#, #"{"partitions":"four","apps":[]}"#,
            #"{"partitions":4,"apps":[{"bundleId":7}]}"#,
        ]

        /// What lets a program run for long.
        private static func command(_ program: String?) -> [String] { program == nil ? ["up"] : [] }

        @Test(arguments: programs)
        func `--help is printed, with exit code 0`(_ program: String?) async throws {
            try await TestHome.use { home in
                let answer = try await home.run(program, ["--help"]).succeeded()
                #expect(answer.output.contains("USAGE") && answer.errors.isEmpty)
            }
        }

        @Test(arguments: programs + ["appstore", "load", "bench", "fuzz"])
        func `--version is printed, with exit code 0`(_ program: String?) async throws {
            try await TestHome.use { home in
                let answer = try await home.run(program, ["--version"]).succeeded()
                #expect(answer.output == Release.version + "\n" && answer.errors.isEmpty)
            }
        }

        @Test(arguments: programs)
        func `a wrong command line is one line on standard error, with exit code 2`(
            _ program: String?
        ) async throws {
            try await TestHome.use { home in
                for wrong in [["--nonsense"], ["--home"], ["nonsense", "nonsense"]] {
                    Self.expectComplaint(try await home.run(program, wrong), about: "\(wrong)")
                }
            }
        }

        @Test(arguments: programs)
        func `a home that is not there is one line on standard error, with exit code 2`(
            _ program: String?
        ) async throws {
            try await TestHome.use { home in
                let answer = try await home.run(
                    program,
                    Self.command(program) + ["--home", home.folder + "/none"]
                )
                Self.expectComplaint(answer, about: "no home")
                #expect(answer.errors.contains(home.folder + "/none"))
                #expect(answer.errors.contains("make a home with `counterfoil init`"))
            }
        }

        @Test(arguments: programs, broken)
        func `a broken configuration is one line on standard error that names the file, with exit code 2`(
            _ program: String?,
            _ text: String
        ) async throws {
            try await TestHome.use { home in
                try Data(text.utf8).write(to: URL(filePath: home.root + "/counterfoil.json"))
                let answer = try await home.run(program, Self.command(program) + ["--home", home.root])
                Self.expectComplaint(answer, about: text)
                #expect(answer.errors.contains("counterfoil.json"))
            }
        }

        @Test(arguments: programs)
        func `a program that is asked to end does so, with exit code 0`(_ program: String?) async throws {
            try await TestHome.use { home in
                let process = try ChildProcess(
                    try Executables.path(program),
                    Self.command(program) + ["--home", home.root],
                    folder: home.folder
                )
                defer { process.destroy() }
                try await eventually("it runs", detail: { process.errors }) {
                    try await Self.runs(program, process, home)
                }
                process.send(SIGTERM)
                let end = try await process.finish()
                #expect(end == .exited(0), "\(process.errors)")
                let isPolite = program == nil || process.errors.contains("Program ended")
                #expect(isPolite, "\(process.errors)")
                #expect(home.processes.isEmpty)
            }
        }

        /// Whether it does what it is there for; only then has it promised a polite end.
        private static func runs(
            _ program: String?,
            _ process: ChildProcess,
            _ home: TestHome
        ) async throws -> Bool {
            switch program {
            case nil: return process.output.contains("gateway ready")
            case "gateway":
                guard let url = home.gatewayURL else { return false }
                let gateway = try home.client(url: url)
                return try await gateway.retry("life") { try await gateway.get("/livez") }.status == 200
            default:
                return process.errors.contains("Partition taken")
                    || process.output.contains("Partition taken")
            }
        }

        private static func expectComplaint(_ answer: TestHome.Answer, about what: String) {
            let lines = answer.errors.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(answer.end == .exited(2), "\(what): \(answer.errors)")
            #expect(lines.count == 2 && lines.last == "", "\(what): not one line: \(answer.errors)")
            #expect(answer.output.isEmpty, "\(what): \(answer.output)")
        }
    }
}
