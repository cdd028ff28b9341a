import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What an operator's slip in the configuration does, and what a change does.
    @Suite struct ConfigurationChangeTests {
        private static func pids(_ group: TestGroup) async throws -> [Int32] {
            try await group.status().services.flatMap { $0.replicas.compactMap(\.pid) }
        }

        /// Whether the gateway takes an order for the product.
        private static func takesOrders(_ product: String, _ group: TestGroup) async throws -> Bool {
            let order = try await group.gateway.issue("anna", product: product, key: UUID().uuidString)
            return order.status == 201
        }

        @Test
        func
            `a broken catalog is refused with file, line and column, and what was loaded holds after a restart`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let before = try await Self.pids(group)
                try group.home.edit(catalog: "{\"products\": [\n  {\"productId\": 7}]}")
                for command in ["check", "load"] {
                    let answer = try await group.home.counterfoil("catalog", command)
                        .expect(exit: 2, inOneLine: true)
                    let place =
                        "\(group.home.root)/catalog.json: line 2, column 17: products[0].productId: must be"
                    #expect(answer.errors.hasPrefix(place), "\(command): \(answer.errors)")
                }
                #expect(try await Self.pids(group) == before)
                // One that dies now begins with what was loaded, not with what the file says.
                kill(try await group.pid(of: "entitlements"), SIGKILL)
                try await group.verify([try await group.buy("anna")])
                try await group.home.counterfoil("restart", within: .seconds(90)).expect(exit: 0)
                try await group.verify([try await group.buy("berta")])
            }
        }

        @Test
        func `a broken configuration is refused with file, line and column, and touches nothing that runs`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let before = try await Self.pids(group)
                let file = URL(filePath: group.home.root + "/counterfoil.json")
                try Data("{\"apps\": [\n  {\"bundleId\": 7}]}".utf8).write(to: file)
                for command in [
                    ["restart", "entitlements"], ["restart"], ["scale", "orders", "2"], ["check"],
                ] {
                    let answer = try await group.home.counterfoil(command).expect(exit: 2, inOneLine: true)
                    let place =
                        "\(group.home.root)/counterfoil.json: line 2, column 16: apps[0].bundleId: must be"
                    #expect(answer.errors.hasPrefix(place), "\(command): \(answer.errors)")
                }
                #expect(try await Self.pids(group) == before)
                let status = try await group.counterfoil("status")
                #expect(status.errors.contains("a restart would be refused"), "\(status.errors)")
            }
        }

        @Test
        func `a new product is sold by the gateway and granted after one load, while all programs run on`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let before = try await Self.pids(group)
                #expect(try await !Self.takesOrders("gems.7", group))
                let gems = TestHome.product("gems.7", "consumable", ["gems": 7])
                try group.home.edit(catalog: TestHome.catalog(with: gems))
                let checked = try await group.counterfoil("catalog", "check")
                #expect(checked.output.contains("gems.7: new"), "\(checked.output)")
                #expect(try await !Self.takesOrders("gems.7", group))
                let loaded = try await group.counterfoil("catalog", "load")
                #expect(loaded.output.contains("gems.7: new"), "\(loaded.output)")
                try await eventually("the gateway takes orders for it") {
                    try await Self.takesOrders("gems.7", group)
                }
                #expect(try await Self.pids(group) == before)
                try await group.verify([try await group.buy("anna")])
            }
        }

        @Test func `a changed configuration is taken up by one restart, and all say the same version`()
            async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let old = try await group.status().configurations
                #expect(old.count == 1)
                try group.home.reconfigure("\"everyMinutes\" : 10", by: "\"everyMinutes\" : 11")
                let told = try await group.home.counterfoil("status")
                #expect(told.output.contains("`counterfoil restart` takes it up"), "\(told.output)")
                try await group.home.counterfoil("scale", "orders", "1").expect(exit: 0, "takes it up")
                #expect(try await group.status().configurations == old)
                try await group.home.counterfoil("restart", "entitlements", within: .seconds(90))
                    .expect(exit: 0, "all programs are restarted")
                let new = try await group.status().configurations
                #expect(new.count == 1 && new != old)
                try await group.verify([try await group.buy("anna")])
            }
        }

        @Test func `a change with which a program cannot begin is taken back`() async throws {
            try await TestGroup.use(partitions: 1) { group in
                let old = try await group.status().configurations
                // An address of the range for documentation is that of no machine.
                try group.home.reconfigure(#""listen" : "127.0.0.1:0""#, by: #""listen" : "203.0.113.7:80""#)
                try await group.home.counterfoil("restart", "orders", within: .seconds(90)).expect(
                    exit: 2,
                    "no address of this machine",
                    "goes back to configuration \(old.first ?? "?")"
                )
                try await eventually("all run with what worked", within: .seconds(60)) {
                    try await group.status().configurations == old
                }
                try await group.verify([try await group.buy("anna")])
            }
        }

        @Test func `the number of partitions cannot be changed under a running group`() async throws {
            try await TestGroup.use(partitions: 2) { group in
                try group.home.reconfigure("\"partitions\" : 2", by: "\"partitions\" : 4")
                try await group.home.counterfoil("restart").expect(exit: 2, "partitions: is 4, but ")
                // What runs is asked, not what the file says.
                try await group.home.counterfoil("dead", "list").expect(exit: 0)
            }
        }

        @Test(arguments: [["up"], ["up", "--detach"]])
        func `up at a taken port, or without a key that is named, ends at once and leaves nothing`(
            command: [String]
        ) async throws {
            try await TestHome.use(partitions: 1) { home in
                let port = try OneCallServer("").port
                try home.reconfigure(#""listen" : "127.0.0.1:0""#, by: #""listen" : "127.0.0.1:\#(port)""#)
                try await home.counterfoil(command)
                    .expect(exit: 2, "127.0.0.1:\(port) is in use by another program")
                #expect(home.processes.isEmpty)
                try FileManager.default.removeItem(atPath: home.root + "/roots/root-0.der")
                try await home.counterfoil(command)
                    .expect(exit: 2, "roots/root-0.der: is missing; extraRoots[0]", inOneLine: true)
                #expect(home.processes.isEmpty)
            }
        }

        @Test func `check names a file with secrets that every user may read`() async throws {
            try await TestHome.use(partitions: 1) { home in
                let file = home.root + "/counterfoil.json"
                let before = try await home.counterfoil("check").expect(exit: 0)
                #expect(before.errors.isEmpty, "\(before.errors)")
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
                try await home.counterfoil("check")
                    .expect(exit: 0, "\(file): holds secrets", "(mode 644)", inOneLine: true)
            }
        }

        @Test func `a detached group that does not become ready is told of, and ended`() async throws {
            try await TestHome.use(partitions: 1) { home in
                // A folder where a store should be: its partition is never taken.
                let store = home.root + "/data/orders/0.sqlite"
                try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
                try await home.counterfoil(["up", "--detach", "--timeout", "5"], within: .seconds(60))
                    .expect(exit: 1, "waiting for ", "was not ready after 5 s and is ended")
                #expect(home.processes.isEmpty)
            }
        }

        @Test
        func `a look-up in a stopped group is no all-clear: one line that says who was missed, exit code 3`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let commands = [
                    ["dead", "list"], ["links", "list"], ["trace", "x"], ["dead", "show", "x"],
                ]
                for command in commands {
                    let missed = "/orders/0 /receipts/0 /entitlements/0 /notifications/0 did not answer"
                    let answer = try await home.counterfoil(command)
                        .expect(exit: 3, missed, inOneLine: true)
                    #expect(answer.output.isEmpty, "\(command): \(answer.output)")
                }
            }
        }
    }
}
