import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What `counterfoil backup` and `counterfoil restore` refuse; then everything stays as it was.
    @Suite struct BackupRefusalTests {
        /// Every file of the stores, with its bytes.
        private static func stores(_ home: TestHome) throws -> [String: Data] {
            try Paths.matching(home.root + "/data/*/*.sqlite*").reduce(into: [:]) {
                $0[$1] = try Data(contentsOf: URL(filePath: $1))
            }
        }

        /// A home that has sold something and now rests, and its backup.
        private static func use(_ body: (TestHome, _ backup: String) async throws -> Void) async throws {
            try await TestHome.use(partitions: 1) { home in
                let backup = home.folder + "/backup"
                try await TestGroup.use(home: home) { group in
                    try await group.buy("anna")
                    try await home.counterfoil("backup", backup).succeeded()
                    try await group.down()
                }
                try await body(home, backup)
            }
        }

        private static func restore(
            _ home: TestHome,
            _ folder: String,
            partition: String? = nil,
            _ more: String...,
            says text: String
        ) async throws {
            let before = try stores(home)
            let chosen = partition.map { ["--partition", $0] } ?? []
            try await home.counterfoil(["restore", folder] + chosen + more).expect(exit: 2, text)
            #expect(try stores(home) == before, "\(text)")
        }

        @Test(.timeLimit(.minutes(2)))
        func `a backup needs a group and a new folder, and leaves no trace when it fails`() async throws {
            try await TestHome.use(partitions: 1) { home in
                let folder = home.folder + "/backup"
                try await home.counterfoil("backup", folder, within: .seconds(30)).expect(
                    exit: 3,
                    "nothing of the backup stays"
                )
                try await TestGroup.use(home: home) { group in
                    try await group.buy("anna")
                    let trouble = "\(home.root)/data/orders/0.sqlite.copy"
                    try FileManager.default.createDirectory(
                        atPath: trouble + "/x",
                        withIntermediateDirectories: true
                    )
                    try await home.counterfoil("backup", folder).expect(
                        exit: 2,
                        "/orders/0 cannot copy its store"
                    )
                    try await home.counterfoil("backup", folder + "/a/b").expect(exit: 2, "cannot be made")
                    let other = open(home.root + "/run/backup.lock", O_RDWR | O_CLOEXEC)
                    let isLocked = flock(other, LOCK_EX | LOCK_NB) == 0
                    #expect(isLocked)
                    try await home.counterfoil("backup", folder).expect(exit: 2, "another backup runs")
                    close(other)
                    #expect(Paths.matching(home.folder + "/backup*").isEmpty)
                    #expect(Paths.matching(home.root + "/data/*/*.copy*").isEmpty)
                    try await home.counterfoil("backup", folder).succeeded()
                    try await home.counterfoil("backup", folder).expect(exit: 2, "is there already")
                    try await home.counterfoil("restore", folder).expect(exit: 2, "the group runs")
                    try await group.buy("anna")
                }
            }
        }

        @Test(.timeLimit(.minutes(2)), .enabled(if: Libfiu.isInstalled, Comment(rawValue: Libfiu.missing)))
        func `a backup on a full disk leaves no trace, and the next one works`() async throws {
            try await TestGroup.use(partitions: 1) { group in
                try await group.buy("anna")
                let (home, folder) = (group.home, group.home.folder + "/backup")
                var environment = Libfiu.settings(home).environment
                environment["FIU_ENABLE"] = "enable name=posix/io/sync/fsync,failinfo=\(ENOSPC)"
                try await home.run(nil, ["backup", folder, "--home", home.root], environment: environment)
                    .expect(exit: 2, String(cString: strerror(ENOSPC)))
                #expect(Paths.matching(home.folder + "/backup*").isEmpty)
                try await home.counterfoil("backup", folder).succeeded()
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `what is no backup of this home, whole and unchanged, is not restored`() async throws {
            try await Self.use { home, backup in
                try await Self.restore(home, home.folder + "/none", says: "is no backup")
                try await Self.restore(home, home.root, says: "is no backup")
                try await Self.restore(home, backup, partition: "orders/7", says: "has no store /orders/7")
                try await Self.restore(home, backup, partition: "orders", says: "is no partition")

                let store = backup + "/orders/0.sqlite"
                let bytes = try Data(contentsOf: URL(filePath: store))
                var changed = bytes
                changed[changed.count / 2] ^= 1
                try changed.write(to: URL(filePath: store))
                try await Self.restore(home, backup, says: "is not what was backed up")
                try FileManager.default.removeItem(atPath: store)
                try await Self.restore(home, backup, partition: "orders/0", says: "is missing in the backup")
                try bytes.write(to: URL(filePath: store))

                let manifest = URL(filePath: backup + "/manifest.json")
                let text = try Data(contentsOf: manifest)
                try Data("{".utf8).write(to: manifest)
                try await Self.restore(home, backup, says: "is no backup's manifest")
                try text.write(to: manifest)

                try home.reconfigure(#""partitions" : 1"#, by: #""partitions" : 2"#)
                try await Self.restore(home, backup, says: "is 2, but the backup was made with 1")
                try home.reconfigure(#""partitions" : 2"#, by: #""partitions" : 1"#)
                try await TestHome.use(partitions: 1) { other in
                    try await TestGroup.use(home: other) { try await $0.down() }
                    try await Self.restore(other, backup, says: "add --adopt-identity")
                    try Data("other".utf8).write(to: URL(filePath: other.root + "/data/home.id"))
                    try await Self.restore(other, backup, says: "is the backup of another home")
                    try await Self.restore(
                        other,
                        backup,
                        partition: "orders/0",
                        "--adopt-identity",
                        says: "is the backup of another home"
                    )
                }
                try FileManager.default.removeItem(atPath: home.root + "/data/home.id")
                try await Self.restore(home, backup, partition: "orders/0", says: "add --adopt-identity")
                try await home.counterfoil("restore", backup, "--adopt-identity").succeeded()
                try FileManager.default.removeItem(atPath: home.root + "/data/receipts/0.sqlite")
                try await Self.restore(home, backup, partition: "orders/0", says: "is missing, too")
                try await home.counterfoil("restore", backup).succeeded()
            }
        }
    }
}
