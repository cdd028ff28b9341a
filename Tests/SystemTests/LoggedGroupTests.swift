import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// Groups whose every commit is a row of PostgreSQL before anybody is told.
    @Suite struct LoggedGroupTests {
        private static let buyers = ["anna", "berta", "carl"]

        private static func buy(_ group: TestGroup) async throws -> [Purchase] {
            var bought: [Purchase] = []
            for buyer in buyers { bought.append(try await group.buy(buyer)) }
            return bought
        }

        private static func verify(_ bought: [Purchase], in home: TestHome) async throws {
            try await TestGroup.use(home: home) { group in
                try await group.rest()
                try await group.verify(bought)
                try await group.counterfoil("audit")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `purchases go through kills of owners and of PostgreSQL, and lost stores are made anew`()
            async throws
        {
            try await PostgreSQLServers.use { servers in
                try await TestHome.use(store: servers.url) { home in
                    var bought: [Purchase] = []
                    try await TestGroup.use(home: home) { group in
                        bought += try await Self.buy(group)
                        for program in ["orders", "receipts", "entitlements"] {
                            kill(try await group.pid(of: program), SIGKILL)
                        }
                        bought += try await Self.buy(group)
                        try await servers.killPrimary()
                        bought += try await Self.buy(group)
                        let shown = try await group.counterfoil("status").output
                        #expect(shown.contains("timeline 1, standby standby (sync"), "\(shown)")
                        #expect(shown.contains("HEAD  POSITION  LAG"))
                        #expect(!shown.contains("ONE MACHINE"))
                    }
                    for path in Paths.matching("\(home.root)/data/*/*.sqlite*") {
                        try FileManager.default.removeItem(atPath: path)
                    }
                    try await Self.verify(bought, in: home)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `purchases go on with a standby that was promoted, and none is lost with the primary`()
            async throws
        {
            try await PostgreSQLServers.use(standbys: 2) { servers in
                try await TestHome.use(store: servers.url) { home in
                    var bought: [Purchase] = []
                    try await TestGroup.use(home: home) { group in
                        bought += try await Self.buy(group)
                        let promotion = try await servers.promote(after: .seconds(1))
                        #expect(promotion.acknowledgedAt > promotion.endedAt)
                        bought += try await Self.buy(group)
                        let shown = try await group.counterfoil("status").output
                        #expect(shown.contains("timeline 2"), "\(shown)")
                    }
                    try await Self.verify(bought, in: home)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `a group without a log is carried into one while it is down, and loses nothing`() async throws {
            try await PostgreSQLServers.use { servers in
                try await TestHome.use { home in
                    var bought: [Purchase] = []
                    try await TestGroup.use(home: home) { group in
                        bought += try await Self.buy(group)
                        try await group.rest()
                        try await home.counterfoil("move", "--to", servers.url)
                            .expect(exit: 2, "the group runs", inOneLine: true)
                        try await group.down()
                    }
                    let moved = try await home.counterfoil("move", "--to", servers.url).succeeded()
                    #expect(moved.output.contains("/orders/0: the log makes the same"), "\(moved.output)")
                    try await home.counterfoil("move", "--to", servers.url)
                        .expect(exit: 2, "is there already", inOneLine: true)
                    for path in Paths.matching("\(home.root)/data/*/*.sqlite*") {
                        try FileManager.default.removeItem(atPath: path)
                    }
                    try await Self.verify(bought, in: home)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `one machine's PostgreSQL is refused, unless it is asked for, and then told of loudly`()
            async throws
        {
            try await PostgreSQLServers.use(standbys: 0) { servers in
                try await TestHome.use { home in
                    let other = ["init", "--home", home.root + "2", "--store", servers.url]
                    try await home.run(nil, other)
                        .expect(exit: 2, "there is no synchronous standby", "--allow-single", inOneLine: true)
                    #expect(!FileManager.default.fileExists(atPath: home.root + "2"))
                    let made = try await home.run(nil, other + ["--allow-single"]).succeeded()
                    #expect(made.output.contains("ON ONE MACHINE"))
                    // The log is that home's now.
                    try await home.run(
                        nil,
                        ["init", "--home", home.root + "3", "--store", servers.url, "--allow-single"]
                    )
                    .expect(exit: 2, "holds the log of the group", "another database", inOneLine: true)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `a group does not begin on another's log, without its own, or when its servers are weak`()
            async throws
        {
            try await PostgreSQLServers.use { servers in
                try await TestHome.use(store: servers.url) { home in
                    try await TestGroup.use(home: home) { try await $0.down() }
                    try await home.counterfoil("check").succeeded()
                    let file = URL(filePath: home.root + "/counterfoil.json")
                    let text = try String(contentsOf: file, encoding: .utf8)
                    let other = text.replacing(/"group" : "[0-9a-f]+"/, with: #""group" : "other""#)
                    try Data(other.utf8).write(to: file)
                    try await home.counterfoil("check")
                        .expect(exit: 2, "holds the log of the group", inOneLine: true)
                    try await home.counterfoil("up").expect(exit: 2, "holds the log of the group")
                    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
                    var members = try #require(parsed as? [String: Any])
                    members["store"] = nil
                    try JSONSerialization.data(withJSONObject: members).write(to: file)
                    try await home.counterfoil("up").expect(exit: 2, "is a copy of what a commit log holds")
                    try Data(text.utf8).write(to: file)
                    try await servers.set("synchronous_commit", "off")
                    try await home.counterfoil("check")
                        .expect(exit: 2, "synchronous_commit is off", inOneLine: true)
                }
            }
        }
    }
}
