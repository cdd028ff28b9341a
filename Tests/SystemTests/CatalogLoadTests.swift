import Delivery
import Domain
import Foundation
import Glibc
import Program
import TestKit
import Testing

extension WholeGroup {
    /// `counterfoil catalog load` when it dies, meets another one, or the disk does not do its work.
    @Suite struct CatalogLoadTests {
        private static let old = catalog(coins: 120)

        /// The catalog of a home, whose coins come in another number.
        private static func catalog(coins: Int) -> String {
            #"{"products":[{"productId":"coins.120","type":"consumable","grants":[{"entitlement":"coins","#
                + #""amount":\#(coins)}]},{"productId":"pro.lifetime","type":"nonConsumable","grants":[{"entitlement":"#
                + #""pro"}]}]}"#
        }

        private static func write(_ text: String, _ file: String, of home: TestHome) throws -> String {
            let path = "\(home.folder)/\(file)"
            try Data(text.utf8).write(to: URL(filePath: path))
            return path
        }

        private static func load(
            _ text: String,
            _ home: TestHome,
            environment: [String: String] = [:]
        ) async throws -> TestHome.Answer {
            let file = try write(text, "next.json", of: home)
            return try await home.run(
                nil,
                ["catalog", "load", file, "--home", home.root],
                environment: environment
            )
        }

        /// What processes would read now; it must be whole.
        private static func loaded(_ home: TestHome) throws -> Catalog {
            try Catalog(loadedIn: Home(root: home.root))
        }

        @Test(arguments: [
            CrashPoint.catalogLocked, .catalogOpened, .catalogWritten, .catalogSynced, .catalogReplaced,
        ])
        func `a load that is killed leaves the old catalog or the new one whole, and the next one works`(
            at point: CrashPoint
        ) async throws {
            try await TestHome.use(partitions: 1) { home in
                try await Self.load(Self.old, home).succeeded()
                let before = try Self.loaded(home)
                let next = Self.catalog(coins: 150)
                let setting = ["COUNTERFOIL_CRASH_AT": "catalog.\(point.rawValue):1"]
                let killed = try await Self.load(next, home, environment: setting)
                #expect(killed.end == .signaled(SIGKILL) && killed.output.isEmpty, "\(killed)")
                let isReplaced = point == .catalogReplaced
                #expect(try Self.loaded(home) == (isReplaced ? Catalog(json: next) : before))
                try await home.counterfoil("catalog", "show").succeeded()
                let after = Self.catalog(coins: 170)
                try await Self.load(after, home).succeeded()
                #expect(try Self.loaded(home) == Catalog(json: after))
                let again = try await Self.load(after, home).succeeded()
                #expect(again.output.contains("is loaded already"), "\(again.output)")
            }
        }

        @Test func `of many loads at once each is whole or refused, and readers find one of them whole`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                try await Self.load(Self.old, home).succeeded()
                let texts = (1...8).map { Self.catalog(coins: 1_000 + $0) }
                let files = try texts.enumerated().map { try Self.write($1, "\($0).json", of: home) }
                let answers = try await withThrowingTaskGroup(of: TestHome.Answer.self) { tasks in
                    for file in files {
                        tasks.addTask { try await home.counterfoil("catalog", "load", file) }
                    }
                    var answers: [TestHome.Answer] = []
                    for try await answer in tasks {
                        answers.append(answer)
                        #expect(
                            try ([Self.old] + texts).map { try Catalog(json: $0) }.contains(Self.loaded(home))
                        )
                    }
                    return answers
                }
                for answer in answers where answer.end != .exited(0) {
                    answer.expect(exit: 1, "another `counterfoil catalog load` is at work", inOneLine: true)
                }
                let done = answers.filter { $0.end == .exited(0) }
                let version = try Self.loaded(home).version
                #expect(done.contains { $0.output.contains(version) }, "\(answers)")
            }
        }

        /// Loads a catalog on a disk that does not do its work, and then on one that does.
        private static func check(
            _ home: TestHome,
            fails error: Int32,
            before begin: () throws -> [String: String],
            after end: () throws -> Void = {}
        ) async throws {
            try await load(old, home).succeeded()
            let before = try loaded(home)
            let environment = try begin()
            let next = catalog(coins: 150)
            let failed = try await load(next, home, environment: environment)
            #expect(failed.end == .exited(1) && failed.output.isEmpty, "\(failed)")
            #expect(failed.errors.contains(String(cString: strerror(error))), "\(failed.errors)")
            #expect(try loaded(home) == before)
            try end()
            try await load(next, home).succeeded()
            #expect(try loaded(home) == Catalog(json: next))
        }

        @Test func `on a full disk the old catalog stays whole, and the next load works`() async throws {
            try await TestHome.use(partitions: 1) { home in
                // The device to which nothing can be written stands for the disk.
                let temporary = Home(root: home.root).loadedCatalogFile + ".new"
                try await Self.check(home, fails: ENOSPC) {
                    #expect(symlink("/dev/full", temporary) == 0)
                    return [:]
                } after: {
                    #expect(unlink(temporary) == 0)
                }
            }
        }

        /// A call that fails in one load, and how.
        static let failures: [(point: String, error: Int32)] = [
            ("posix/io/sync/fsync", EIO), ("posix/io/dir/rename", ENOSPC),
        ]

        @Test(.enabled(if: Libfiu.isInstalled, Comment(rawValue: Libfiu.missing)), arguments: failures)
        func `on a disk that fails the old catalog stays whole, and the next load works`(
            _ point: String,
            _ error: Int32
        ) async throws {
            try await TestHome.use(partitions: 1) { home in
                try await Self.check(home, fails: error) {
                    var environment = Libfiu.settings(home).environment
                    environment["FIU_ENABLE"] = "enable name=\(point),failinfo=\(error)"
                    return environment
                }
            }
        }
    }
}
