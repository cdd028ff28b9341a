import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// A group whose partitions listen on `tcp://`, with this host's key.
    @Suite struct WireTests {
        private static let partitions = 2

        /// The first of as many free ports as the group takes.
        private static func wire() throws -> String {
            "127.0.0.1:\(try #require(FreePorts.base(count: 4 * partitions)))"
        }

        @Test
        func `a group on tcp grants purchases, also after a kill, and nothing listens beside it`()
            async throws
        {
            try await TestHome.use(partitions: Self.partitions, wire: Self.wire()) { home in
                try await TestGroup.use(home: home) { group in
                    let first = try await group.buy("anna")
                    kill(try await group.pid(of: "orders"), SIGKILL)
                    let second = try await group.buy("ben")
                    try await group.rest()
                    try await group.verify([first, second])
                    let sockets = Paths.matching("\(home.root)/run/orders/*.sock")
                    #expect(sockets.isEmpty, "nothing listens beside the wire")
                }
            }
        }

        @Test
        func `keys that others may read, and an address of another machine, end with one line and code 2`()
            async throws
        {
            try await TestHome.use(partitions: Self.partitions, wire: Self.wire()) { home in
                let keys = home.root + "/host.keys"
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys)
                for program in ["orders", "gateway"] {
                    let answer = try await home.run(program, ["--check", "--home", home.root])
                    #expect(answer.end == .exited(2))
                    #expect(answer.errors.contains("others may read it (mode 644)"))
                    #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
                }
                let elsewhere = ["init", "--wire", "192.0.2.1:7400", "--home", home.folder + "/other"]
                let refused = try await home.run(nil, elsewhere)
                #expect(refused.end == .exited(2))
                #expect(refused.errors.contains("192.0.2.1 is no address of this machine"))
            }
        }
    }
}
