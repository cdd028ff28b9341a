import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// Hosts of one group on addresses of this machine, which know of each other by log and wire alone.
    @Suite struct SeveralHostsTests {
        private static let partitions = 2

        /// A second host's home beside the first.
        private static func join(_ home: TestHome) async throws -> String {
            let root = home.folder + "/second"
            try await join(home, root, from: home.root, at: "127.0.0.2").succeeded()
            return root
        }

        private static func join(
            _ home: TestHome,
            _ root: String,
            from source: String,
            at address: String
        ) async throws -> TestHome.Answer {
            try await home.run(nil, ["join", "--home", root, "--from", source, "--address", address])
        }

        /// From its next start on the first host lets the second one in.
        private static func admit(_ second: String, to home: TestHome) throws {
            let bytes = try Data(contentsOf: URL(filePath: second + "/counterfoil.json"))
            try bytes.write(to: URL(filePath: home.root + "/counterfoil.json"))
        }

        /// What the programs of a home have logged.
        private static func log(_ root: String) throws -> String {
            try Paths.matching("\(root)/log/*.log")
                .map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        }

        /// How far ahead of the true time a program of a home was when it logged last, in seconds.
        private static func secondsAhead(_ program: String, of root: String) throws -> Int64 {
            let file = try #require(Paths.matching("\(root)/log/\(program)*.log").first)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let times = lines.compactMap { line in
                line.split(separator: " ").first.flatMap { Timestamp(rfc3339: String($0)) }
            }
            return (try #require(times.last).milliseconds - Timestamp.now().milliseconds) / 1_000
        }

        /// Ends all processes of a host as a power cut does.
        private static func cutPower(_ root: String, of home: TestHome) {
            for pid in home.processes {
                let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
                if String(decoding: line, as: UTF8.self).contains(root) { kill(pid, SIGKILL) }
            }
        }

        private static func use(
            lettingIn: Bool = true,
            _ body: (PostgreSQLServers, TestHome, _ second: String) async throws -> Void
        ) async throws {
            try await useOne { servers, home in
                let second = try await join(home)
                if lettingIn { try admit(second, to: home) }
                try await body(servers, home, second)
            }
        }

        /// The first host alone.
        private static func useOne(
            _ body: (PostgreSQLServers, TestHome) async throws -> Void
        ) async throws {
            let wire = "127.0.0.1:\(try #require(FreePorts.base(count: 4 * partitions)))"
            try await PostgreSQLServers.use { servers in
                try await TestHome.use(partitions: partitions, wire: wire, store: servers.url) { home in
                    try await body(servers, home)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `of two hosts that join at once from one copy one is in the group at most, and others follow`()
            async throws
        {
            try await Self.useOne { _, home in
                let (second, third) = (home.folder + "/second", home.folder + "/third")
                async let one = Self.join(home, second, from: home.root, at: "127.0.0.2")
                async let other = Self.join(home, third, from: home.root, at: "127.0.0.3")
                let answers = try await [(second, one), (third, other)]
                let joined = answers.filter { $0.1.end == .exited(0) }.map(\.0)
                #expect(joined.count <= 1, "each lacks the other one")
                for (root, answer) in answers where !joined.contains(root) {
                    answer.expect(exit: 2, "wire.hosts", inOneLine: true)
                    #expect(!FileManager.default.fileExists(atPath: root))
                }
                let newest = joined.first ?? home.root
                try await Self.join(home, home.folder + "/fourth", from: newest, at: "127.0.0.4").succeeded()
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `two hosts share the partitions, and what one had is granted by the other after its death`()
            async throws
        {
            try await Self.use { _, home, second in
                try await TestGroup.use(home: home) { group in
                    var bought = [try await group.buy("anna")]
                    let up = try ChildProcess(
                        try Executables.path(),
                        ["up", "--home", second],
                        folder: home.folder
                    )
                    defer { up.destroy() }
                    try await eventually("the second host has a partition of Orders", within: .seconds(180)) {
                        try Self.log(second).contains("Partition taken")
                    }
                    for buyer in ["berta", "carl", "dora"] { bought.append(try await group.buy(buyer)) }
                    Self.cutPower(second, of: home)
                    for buyer in ["emil", "fritz", "gerd"] { bought.append(try await group.buy(buyer)) }
                    try await group.rest()
                    try await group.verify(bought)
                    try await group.counterfoil("audit")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `a host takes no partition until the other one lets it in, and says what it waits for`()
            async throws
        {
            try await Self.use(lettingIn: false) { _, home, second in
                try await TestGroup.use(home: home) { group in
                    let up = try ChildProcess(
                        try Executables.path(),
                        ["up", "--home", second],
                        folder: home.folder
                    )
                    defer { up.destroy() }
                    let reason = "host 127.0.0.1 does not admit this host yet"
                    try await eventually("the second host says what it waits for", within: .seconds(180)) {
                        try Self.log(second).contains(reason)
                    }
                    #expect(try !Self.log(second).contains("Partition taken"))
                    let bought = try await group.buy("anna")
                    try Self.admit(second, to: home)
                    try await home.counterfoil("restart", within: .seconds(90)).expect(exit: 0)
                    try await eventually("the second host has a partition", within: .seconds(180)) {
                        try Self.log(second).contains("Partition taken")
                    }
                    try await group.rest()
                    try await group.verify([bought])
                }
            }
        }

        @Test(
            .enabled(if: Faketime.isInstalled, Comment(rawValue: Faketime.missing)),
            .timeLimit(.minutes(10)),
            arguments: [-300, 300]
        )
        func `a host whose clock is off by minutes takes its share, and nothing waits for its times`(
            ahead seconds: Int
        ) async throws {
            try await Self.use { _, home, second in
                try await TestGroup.use(home: home) { group in
                    var bought = [try await group.buy("anna")]
                    try Faketime.set("second", ahead: seconds, home)
                    let up = try ChildProcess(
                        "/bin/sh",
                        // It makes room for what a preloaded library changes in the environment.
                        ["-c", #"exec "$0" "$@""#, try Executables.path(), "up", "--home", second],
                        folder: home.folder,
                        environment: Faketime.settings("second", home).environment
                    )
                    defer {
                        up.destroy()
                        Faketime.clean([up.pid])
                    }
                    try await eventually("it has a partition of each service", within: .seconds(180)) {
                        let log = try Self.log(second)
                        return Executables.services.allSatisfy { log.contains(" \($0).0 Partition taken") }
                    }
                    for program in Executables.services {
                        let ahead = try Self.secondsAhead(program, of: second)
                        #expect(abs(ahead - Int64(seconds)) < 120, "\(program) is \(ahead) s ahead")
                    }
                    for buyer in ["berta", "carl", "dora", "emil"] {
                        bought.append(try await group.buy(buyer))
                    }
                    try await group.verify(bought)
                    Self.cutPower(second, of: home)
                    for buyer in ["anna", "berta", "carl", "dora", "emil"] {
                        bought.append(try await group.buy(buyer))
                    }
                    try await group.rest()
                    try await group.verify(bought)
                    try await group.counterfoil("audit")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `files of an export are as the stores, and follow them`() async throws {
            try await Self.use { _, home, _ in
                let folder = home.folder + "/export"
                try await TestGroup.use(home: home) { group in
                    _ = try await group.buy("anna")
                    try await group.rest()
                    let first = try await home.counterfoil("store", "export", folder).succeeded().output
                    #expect(first.split(separator: "\n").count == 4 * Self.partitions)
                    _ = try await group.buy("berta")
                    try await group.rest()
                    let later = try await home.counterfoil("store", "export", folder).succeeded().output
                    #expect(later != first)
                }
                try await home.counterfoil("store", "export", home.root + "/data")
                    .expect(exit: 2, "is a store of a home", inOneLine: true)
            }
        }
    }
}
