import Database
import Foundation
import Testing

@testable import PostgreSQL

extension RealServers {
    @Suite struct `a server that wants a password` {
        @Test func `gets that of the file, and without it says why it takes nobody`() throws {
            let cluster = try Cluster()
            defer { withExtendedLifetime(cluster) {} }
            let server = try cluster.primary()
            let open = try server.connection(allowsSingle: true)
            try LogTables(open).make(group: "test", partitions: ["orders/0"])
            try server.sql("ALTER ROLE counterfoil PASSWORD 'geheim'")
            try Data("host all all 127.0.0.1/32 scram-sha-256\n".utf8)
                .write(to: URL(filePath: server.path + "/pg_hba.conf"))
            try ServerPrograms.run(
                "pg_ctl",
                ["restart", "-w", "-D", server.path, "-l", server.path + ".log"]
            )
            let address = try LogAddress("postgresql://counterfoil@\(server.address)/postgres")
            let file = "/tmp/secret-\(UUID().uuidString)"
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            for (password, isTaken) in [("geheim", true), ("falsch", false)] {
                let content = Data("\(password)\n".utf8)
                #expect(
                    FileManager.default.createFile(atPath: file, contents: content, attributes: attributes)
                )
                defer { unlink(file) }
                let login = try ServerLogin(address, passwordFile: file, environment: [:])
                let log = PostgreSQLLog(LogConnection(login, allowsSingle: true), partition: "orders/0")
                if isTaken {
                    #expect(try log.head() == .empty)
                } else {
                    let fault = try #require(throws: LogFault.self) { try log.head() }
                    #expect("\(fault)".contains("password authentication failed"))
                    #expect(!"\(fault)".contains("falsch"))
                    guard case .refused = fault else {
                        Issue.record("a wrong password is taken for a server that is away: \(fault)")
                        continue
                    }
                }
            }
            let none = PostgreSQLLog(try server.connection(allowsSingle: true), partition: "orders/0")
            let fault = try #require(throws: LogFault.self) { try none.head() }
            guard case .refused = fault else {
                Issue.record("a missing password is taken for a server that is away: \(fault)")
                return
            }
        }
    }
}
