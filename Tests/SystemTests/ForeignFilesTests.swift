import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// What an operator's hand does to the files of a group.
    @Suite struct ForeignFilesTests {
        private static let orders = "data/orders/0.sqlite"

        private static func stores(_ home: TestHome) -> [String] {
            Paths.matching(home.root + "/data/*/*.sqlite").sorted()
        }

        @Test(.timeLimit(.minutes(2)))
        func `another number of partitions is refused by every program, and nothing is made or lost`()
            async throws
        {
            try await TestHome.use(partitions: 2) { home in
                let purchase = try await TestGroup.use(home: home) { try await $0.buy("anna") }
                let before = Self.stores(home)
                for (former, partitions) in [(2, 4), (4, 1)] {
                    try home.reconfigure(#""partitions" : \#(former)"#, by: #""partitions" : \#(partitions)"#)
                    for program in Executables.group {
                        try await home.run(program, ["--home", home.root])
                            .expect(exit: 2, "partitions: is \(partitions)", "set it back to 2")
                    }
                    try await home.counterfoil("up").expect(exit: 2, "set it back to 2")
                    #expect(Self.stores(home) == before)
                }
                try home.reconfigure(#""partitions" : 1"#, by: #""partitions" : 2"#)
                try await TestGroup.use(home: home) { group in
                    try await group.verify([purchase, try await group.buy("berta")])
                }
            }
        }

        @Test(.timeLimit(.minutes(2)), arguments: ["cp", "mv", "rm of the lock"])
        func `an owner whose files somebody touches ends, and what was bought stays`(
            _ way: String
        ) async throws {
            try await TestGroup.use(partitions: 1) { group in
                let home = group.home.root
                var bought = [try await group.buy("anna")]
                let pid = try await group.pid(of: "orders")
                let file = "\(home)/\(Self.orders)"
                switch way {
                case "cp":
                    try await Self.run(group.home, "/bin/cp", file, file + ".backup")
                    try await Self.run(group.home, "/bin/cp", file + ".backup", file)
                case "mv":
                    try await Self.run(group.home, "/bin/cp", file, file + ".backup")
                    try await Self.run(group.home, "/bin/mv", file + ".backup", file)
                default: try await Self.run(group.home, "/bin/rm", file + ".lock")
                }
                try await eventually("the owner ends", detail: { group.up.output }) { kill(pid, 0) != 0 }
                let words = ("written by somebody else", "moved, removed or replaced", "lock was removed")
                try await group.says(words.0, words.1, words.2)
                // The file has the same bytes, so that the next owner can go on.
                bought.append(try await group.buy("berta"))
                try await group.verify(bought)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `an older backup beside a newer log is refused, and both can still be told apart`() async throws
        {
            try await TestGroup.use(partitions: 1) { group in
                let file = "\(group.home.root)/\(Self.orders)"
                try await group.buy("anna")
                try await Self.run(group.home, "/bin/cp", file, file + ".backup")
                // A polite end moves the log into the file.
                try await group.counterfoil("restart", "orders")
                try await group.buy("berta")
                try await Self.run(group.home, "/bin/cp", file, file + ".good")
                let pid = try await group.pid(of: "orders")
                let backup = try Data(contentsOf: URL(filePath: file + ".backup"))
                try await Self.run(group.home, "/bin/cp", file + ".backup", file)
                try await eventually("the owner ends", detail: { group.up.output }) { kill(pid, 0) != 0 }
                try await group.says("was replaced beside an older")
                #expect(try Data(contentsOf: URL(filePath: file)) == backup, "nothing was mixed into it")
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a store that is removed under its owner is not made anew, and a backup brings it back`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let (file, backup) = ("\(home.root)/\(Self.orders)", home.folder + "/backup")
                let bought = try await TestGroup.use(home: home) { group in
                    let bought = try await group.buy("anna")
                    try await group.rest()
                    try await home.counterfoil("backup", backup).succeeded()
                    for path in [file, file + "-wal"] { try FileManager.default.removeItem(atPath: path) }
                    try await group.says("is missing, with all that it knew")
                    try await group.down()
                    return bought
                }
                try await home.counterfoil("up").expect(exit: 2, "counterfoil restore", inOneLine: true)
                #expect(Paths.matching(file).isEmpty)
                try await home.counterfoil("restore", backup, "--partition", "orders/0").succeeded()
                try await TestGroup.use(home: home) { group in
                    try await group.verify([bought, try await group.buy("berta")])
                }
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `sockets that are removed under purchases come back: who starts later reaches every partition`()
            async throws
        {
            try await TestGroup.use(partitions: 2) { group in
                let bought = try await Crowd.buying(group) { crowd in
                    try await crowd.buys(20)
                    let sockets = Paths.matching(group.home.root + "/run/*/*.sock")
                    #expect(sockets.count == 8)
                    for path in sockets { try FileManager.default.removeItem(atPath: path) }
                    // The new ones are connected to nobody.
                    for program in ["orders", "gateway"] {
                        _ = try await group.replace(program, by: SIGKILL, within: .seconds(60))
                    }
                    try await crowd.buys(20)
                }
                try await group.rest()
                try await group.verify(bought)
            }
        }

        private static func run(_ home: TestHome, _ program: String, _ arguments: String...) async throws {
            let process = try ChildProcess(program, arguments, folder: home.folder)
            defer { process.destroy() }
            guard try await process.finish() == .exited(0) else { throw HarnessFault(process.errors) }
        }

        @Test(.timeLimit(.minutes(2)))
        func `delayed events can be asked for, and silence is no all-clear`() async throws {
            try await TestHome.use(partitions: 1) { home in
                try await TestGroup.use(home: home) { group in
                    let none = try await home.counterfoil("delayed", "list")
                    #expect(none.end == .exited(0) && none.output.contains("nothing is delayed"))
                    for word in ["release", "dead-letter"] {
                        try await home.counterfoil("delayed", word, "nobody")
                            .expect(exit: 1, "no such delayed event")
                    }
                }
                let silent = try await home.counterfoil("delayed", "list")
                #expect(silent.end == .exited(3) && !silent.output.contains("nothing is delayed"))
            }
        }
    }
}
