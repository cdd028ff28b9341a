import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What the operator's command says when something is not as it was meant.
    @Suite struct OperatorTests {
        @Test
        func `the status of a stopped group is one clear line, and JSON where that was asked, with code 3`()
            async throws
        {
            try await TestHome.use { home in
                for arguments in [["status"], ["status", "--json"]] {
                    let answer = try await home.counterfoil(arguments).expect(exit: 3, inOneLine: true)
                    #expect(answer.errors.hasPrefix("nothing runs in \(home.root)"), "\(answer.errors)")
                    if arguments.count == 1 { #expect(answer.output.isEmpty) }
                    if arguments.count == 2 {
                        let status = try answer.json(Status.self)
                        #expect(status["orders"]?.partitions.map(\.pid) == [nil, nil])
                    }
                }
            }
        }

        @Test func `a mistyped request is answered with those that the service knows, the nearest first`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                try await group.counterfoil("status")
                let data = #"{"bundleId":"com.example.game","buyerId":"anna"}"#
                try await group.home.counterfoil("send", "orders", "counterfoil.ordre.get.v1", "--data", data)
                    .expect(exit: 1, "nearest first, it knows counterfoil.order.get.v1, ")
            }
        }

        @Test func `the load generator names an untrusted root at once, and loses nothing`() async throws {
            try await TestGroup.use(partitions: 1) { group in
                let answer = try await group.home.run(
                    "load",
                    [
                        "--gateway", group.gateway.url, "--api-key", group.home.apiKey, "--purchases", "3",
                        "--appstore-state", group.home.folder + "/stranger", "--shares", "none",
                    ],
                    within: .seconds(20)
                )
                answer.expect(exit: 2, "does not trust the root certificate of --appstore-state")
                #expect(answer.output.isEmpty, "\(answer.output)")
            }
        }

        @Test func `a value of the wrong shape is named with its place, before and behind the door`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let data = #"{"bundleId":"com.example.game","orderId":7}"#
                let send = ["send", "orders", "counterfoil.order.get.v1", "--data", data]
                let place = "line 1, column 42: orderId is 7"
                try await group.home.counterfoil(send).expect(exit: 2, place)
                try await group.home.counterfoil(send + ["--partition", "0"])
                    .expect(exit: 1, place, inOneLine: true)
            }
        }

        @Test func `a program that is asked to end before it traps signals ends at once, with exit code 0`()
            async throws
        {
            for signal in [SIGTERM, SIGINT] {
                try await TestHome.use { home in
                    // A program on standard streams never traps them; its first answer shows that it runs.
                    let pipe = home.folder + "/input"
                    #expect(mkfifo(pipe, 0o600) == 0)
                    let writer = open(pipe, O_RDWR | O_CLOEXEC)
                    defer { close(writer) }
                    let process = try ChildProcess(
                        try Executables.path("orders"),
                        ["--stdio", "--store", ":memory:", "--home", home.root],
                        folder: home.folder,
                        input: pipe
                    )
                    defer { process.destroy() }
                    #expect(write(writer, "?\n", 2) == 2)
                    try await eventually("it answers") { process.output.contains("refused") }
                    process.send(signal)
                    let end = try await process.finish()
                    #expect(end == .exited(0))
                }
            }
        }
    }
}
