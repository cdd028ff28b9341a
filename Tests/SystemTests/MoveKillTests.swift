import Delivery
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// `counterfoil move`, killed on its way.
    @Suite struct MoveKillTests {
        /// Where a command ends, the n-th time that it comes there.
        struct Death: CustomStringConvertible, Sendable {
            let point: CrashPoint
            var count = 1

            var description: String { "move.\(point.rawValue):\(count)" }
        }

        /// One a service.
        private static let stores = 4

        /// Deaths that leave the home as it was, in their order; the former group runs after each row.
        private static let unmarked: [[Death]] = [
            [Death(point: .moveBegun), Death(point: .moveClaimed), Death(point: .moveCopied)],
            [
                Death(point: .moveSent), Death(point: .moveKept, count: 2),
                Death(point: .movePruned, count: 3), Death(point: .moveRemade, count: 3),
            ],
            [Death(point: .moveProven, count: stores), Death(point: .movePublished)],
        ]
        /// Those after which some stores or all are not opened without their logs.
        private static let marked = [
            Death(point: .moveNoted), Death(point: .moveMarked, count: 2),
            Death(point: .moveMarked, count: stores),
        ]

        private static func kill(
            at death: Death,
            _ home: TestHome,
            to servers: PostgreSQLServers
        ) async throws -> TestHome.Answer {
            let killed = try await home.run(
                nil,
                ["move", "--to", servers.url, "--home", home.root],
                environment: ["COUNTERFOIL_CRASH_AT": death.description]
            )
            #expect(killed.end == .signaled(SIGKILL), "\(death): \(killed)")
            return killed
        }

        /// Runs the group of a home without a log for one purchase.
        private static func buy(_ buyer: String, in home: TestHome) async throws -> Purchase {
            try await TestGroup.use(home: home) { group in
                let bought = try await group.buy(buyer)
                try await group.rest()
                try await group.down()
                return bought
            }
        }

        /// How many stores a command has proven.
        private static func proven(_ answer: TestHome.Answer) -> Int {
            answer.output.split(separator: "\n").filter { $0.contains(": the log makes the same ") }.count
        }

        /// Checks that a new life of the group has just this, from the log alone.
        private static func isCarried(_ bought: [Purchase], in home: TestHome) async throws {
            #expect(Paths.matching("\(home.root)/data/*/*.snapshot*").isEmpty)
            #expect(Paths.matching("\(home.root)/data/*/*.proof*").isEmpty)
            for path in Paths.matching("\(home.root)/data/*/*.sqlite*") {
                try FileManager.default.removeItem(atPath: path)
            }
            try await TestGroup.use(home: home) { group in
                try await group.rest()
                try await group.verify(bought + [try await group.buy("anna")])
                try await group.counterfoil("audit")
            }
        }

        @Test func `no point at which a move is killed is left out`() {
            let all = Set(CrashPoint.allCases.filter { $0.rawValue.hasPrefix("move") })
            let killed = (Self.unmarked.flatMap(\.self) + Self.marked).map(\.point) + [.moveConfigured]
            #expect(Set(killed) == all)
        }

        @Test(.timeLimit(.minutes(10)))
        func
            `until a store is marked the former group goes on where a move was killed, and the next one carries all`()
            async throws
        {
            try await PostgreSQLServers.use { servers in
                try await TestHome.use(partitions: 1) { home in
                    var bought = [try await Self.buy("anna", in: home)]
                    for (deaths, buyer) in zip(Self.unmarked, ["berta", "carl", "dora"]) {
                        for death in deaths { _ = try await Self.kill(at: death, home, to: servers) }
                        bought.append(try await Self.buy(buyer, in: home))
                    }
                    for death in Self.marked {
                        let killed = try await Self.kill(at: death, home, to: servers)
                        #expect(Self.proven(killed) == Self.stores, "\(death): \(killed)")
                        try await home.counterfoil("up")
                            .expect(exit: 2, "is a copy of what a commit log holds")
                    }
                    let moved = try await home.counterfoil("move", "--to", servers.url).succeeded()
                    #expect(Self.proven(moved) == Self.stores, "\(moved)")
                    try await Self.isCarried(bought, in: home)
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func `a move that is killed when the configuration names the log is done, for the same readers`()
            async throws
        {
            try await PostgreSQLServers.use { servers in
                try await TestHome.use(partitions: 1) { home in
                    let bought = try await Self.buy("anna", in: home)
                    let file = home.root + "/counterfoil.json"
                    #expect(chmod(file, 0o640) == 0)
                    let killed = try await Self.kill(at: Death(point: .moveConfigured), home, to: servers)
                    #expect(Self.proven(killed) == Self.stores, "\(killed)")
                    var status = stat()
                    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
                    try await home.counterfoil("move", "--to", servers.url)
                        .expect(exit: 2, "is there already", inOneLine: true)
                    try await Self.isCarried([bought], in: home)
                }
            }
        }
    }
}
