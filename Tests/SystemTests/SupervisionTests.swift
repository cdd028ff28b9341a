import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What `counterfoil up` does for its children, and they without it.
    @Suite struct SupervisionTests {
        @Test func `a child that is killed is replaced at once, and grants go on`() async throws {
            try await TestGroup.use { group in
                var bought = [try await group.buy("anna")]
                for program in Executables.group {
                    let pids = try await group.replace(program, by: SIGKILL, within: .seconds(5)) {
                        bought.append(try await group.buy("anna"))
                    }
                    #expect(kill(pids.next, 0) == 0)
                }
                try await group.verify(bought)
            }
        }

        @Test func `a child that is stopped is killed and replaced within seconds, and grants go on`()
            async throws
        {
            try await TestGroup.use { group in
                var bought = [try await group.buy("anna")]
                for program in ["orders", "gateway"] {
                    let pids = try await group.replace(program, by: SIGSTOP, within: .seconds(4))
                    #expect(kill(pids.former, 0) != 0, "the stopped one is still there")
                    bought.append(try await group.buy("anna"))
                }
                try await group.verify(bought)
            }
        }

        @Test func `scaling up to three replicas and back, and a restart, lose nothing under load`()
            async throws
        {
            try await TestGroup.use(partitions: 4) { group in
                let bought = try await Crowd.buying(group) { crowd in
                    try await crowd.buys(20)
                    try await group.scale("receipts", to: 3)
                    try await eventually("three replicas own partitions", within: .seconds(30)) {
                        try await group.owners(of: "receipts") == 3
                    }
                    try await crowd.buys(20)
                    try await group.scale("receipts", to: 1)
                    #expect(try await group.status()["receipts"]?.replicas.count == 1)
                    try await crowd.buys(20)
                    let former = try await group.pid(of: "orders")
                    try await group.counterfoil("restart", "orders")
                    #expect(try await group.pid(of: "orders") != former)
                    try await crowd.buys(20)
                }
                try await group.rest()
                try await group.verify(bought)
            }
        }

        @Test func `only one up runs in a home, and when it is killed all its children end`() async throws {
            try await TestHome.use { home in
                let first = try await TestGroup.use(home: home) { group in
                    let bought = try await group.buy("anna")
                    try await home.counterfoil("up").expect(exit: 1, "runs already", inOneLine: true)
                    group.up.send(SIGKILL)
                    try await eventually("every child has ended", within: .seconds(10)) {
                        home.processes.isEmpty
                    }
                    return bought
                }
                try await TestGroup.use(home: home) { group in
                    try await group.verify([first, try await group.buy("anna")])
                }
            }
        }

        @Test(arguments: [["up.sock"], ["up.lock"], ["up.sock", "up.lock"]])
        func `up whose socket or lock is removed takes commands again, and stays the only one`(
            files: [String]
        ) async throws {
            try await TestHome.use(partitions: 1) { home in
                try await TestGroup.use(home: home) { group in
                    try await group.buy("anna")
                    let paths = files.map { "\(home.root)/run/\($0)" }
                    for path in paths { try FileManager.default.removeItem(atPath: path) }
                    try await eventually("lock and socket are back", detail: { group.up.output }) {
                        paths.allSatisfy { FileManager.default.fileExists(atPath: $0) }
                    }
                    try await home.counterfoil("up").expect(exit: 1, "runs already", inOneLine: true)
                    try await group.down()
                }
            }
        }

        @Test func `down ends the group politely, and what needs a running up names the command of systemd`()
            async throws
        {
            try await TestHome.use { home in
                try await TestGroup.use(home: home) { group in
                    try await group.buy("anna")
                    try await group.down()
                    #expect(home.processes.isEmpty)
                    #expect(!group.up.output.contains("and is killed"))
                }
                for command in [["down"], ["scale", "receipts", "2"], ["restart", "orders"]] {
                    try await home.counterfoil(command).expect(exit: 3, "systemctl", inOneLine: true)
                }
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func `a group that the operator takes down is no failure to deploy/run`() async throws {
            let repository = URL(filePath: #filePath).appending(path: "../../..").standardized
            let configuration = URL(filePath: Executables.folder).lastPathComponent
            try await TestHome.use { home in
                let demo = home.folder + "/demo"
                let run = try ChildProcess(
                    repository.appending(path: "deploy/run").path(),
                    ["--no-build", "--configuration", configuration]
                        + ["--gateway-port", "0", "--appstore-port", "0"],
                    folder: home.folder,
                    environment: ["COUNTERFOIL_HOME": demo]
                )
                defer { run.destroy() }
                try await eventually(
                    "the purchase is made",
                    within: .seconds(150),
                    detail: { run.output + run.errors }
                ) {
                    run.output.contains(#"{"gateway":"#)
                }
                try await home.run(nil, ["down", "--home", demo]).succeeded()
                #expect(try await run.finish() == .exited(0), "\(run.errors)")
                #expect(run.output.hasSuffix("The group was taken down.\n"), "\(run.output)")
            }
        }
    }
}
