import Foundation
import Testing

@testable import PostgreSQL

@Suite struct `the log's address` {
    @Test func `names the servers, the user and the database`() throws {
        let address = try LogAddress(
            "postgresql://counterfoil@db-1.example.com,[fd00::7]:5433/purchases"
                + "?sslmode=verify-full&sslrootcert=%2Fca.pem"
        )
        #expect(address.hosts.map(\.name) == ["db-1.example.com", "fd00::7"])
        #expect(address.hosts.map(\.port) == [5_432, 5_433])
        #expect(address.user == "counterfoil" && address.database == "purchases")
        #expect(address.options["sslrootcert"] == "/ca.pem" && address.isVerified)
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "127.8.8.8", "[::1]", "%2Frun%2Fpostgresql",
    ])
    func `needs no certificate on this machine`(host: String) throws {
        #expect(try LogAddress("postgresql://a@\(host)/b").hosts.allSatisfy(\.isHere))
    }

    @Test(arguments: ["", "?sslmode=disable", "?sslmode=require", "?sslmode=verify-ca", "?sslmode=prefer"])
    func `needs a proof of the server beyond this machine`(options: String) {
        #expect(throws: LogAddress.Refusal.self) {
            try LogAddress("postgresql://a@db.example.com/b\(options)")
        }
        #expect(throws: LogAddress.Refusal.self) {
            try LogAddress("postgresql://a@127.0.0.1,10.0.0.7/b\(options)")
        }
        #expect(throws: LogAddress.Refusal.self) {
            try LogAddress("postgresql://a@127.0.0.1.example.com/b\(options)")
        }
    }

    @Test(arguments: [
        "postgresql://a:geheim@127.0.0.1/b", "postgresql://a@127.0.0.1/b?password=geheim",
        "postgresql://a@127.0.0.1/b?passfile=geheim", "postgres://a:geheim@db.example.com/b",
        "postgresql://a:ge@heim@127.0.0.1/b", "postgresql://a:ge?heim@127.0.0.1/b",
        "postgresql://a:ge?sslmode=heim&heim=@127.0.0.1/b",
    ])
    func `with a password is refused, says what to do, and does not tell it`(text: String) throws {
        let refusal = try #require(throws: LogAddress.Refusal.self) { try LogAddress(text) }
        #expect(refusal.description.contains("mode 0600"))
        #expect(!refusal.description.contains("heim"))
    }

    @Test func `with a parameter that is not known is refused without its name, which may be a secret`()
        throws
    {
        let refusal = try #require(throws: LogAddress.Refusal.self) {
            try LogAddress("postgresql://a@127.0.0.1/b?geheim=1")
        }
        #expect(!refusal.description.contains("heim") && refusal.description.contains("sslmode"))
    }

    @Test(arguments: [
        "", "mysql://a@h/b", "postgresql://a@127.0.0.1%2C10.0.0.7/b", "postgresql://", "postgresql://a@/b",
        "postgresql://127.0.0.1/b",
        "postgresql://a@127.0.0.1",
        "postgresql://a@127.0.0.1:0/b", "postgresql://a@127.0.0.1:65536/b", "postgresql://a@127.0.0.1:/b",
        "postgresql://a@127.0.0.1,/b", "postgresql://a@127.0.0.1,127.0.0.1/b",
        "postgresql://a@127.0.0.1/b%zz",
        "postgresql://a@127.0.0.1/b%00", "postgresql://a@127.0.0.1/b?options=-cfsync%3Doff",
        "postgresql://a@127.0.0.1/b?sslmode=disable&sslmode=verify-full", "postgresql://a@[::1/b",
    ])
    func `of another form is refused`(text: String) {
        #expect(throws: LogAddress.Refusal.self) { try LogAddress(text) }
    }
}

@Suite struct `the log's password` {
    private let address: LogAddress
    private let file = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
        .path()

    init() throws { address = try LogAddress("postgresql://a@127.0.0.1/b") }

    private func write(_ text: String, mode: Int) throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: mode]
        #expect(
            FileManager.default.createFile(atPath: file, contents: Data(text.utf8), attributes: attributes)
        )
    }

    @Test func `comes from a file that nobody else may read, and is in no description`() throws {
        try write("geheim\n", mode: 0o600)
        defer { unlink(file) }
        let login = try ServerLogin(address, passwordFile: file, environment: [:])
        #expect(login.parameters(for: address.hosts[0]).contains { $0 == ("password", "geheim") })
        #expect(!"\(login) \(address)".contains("geheim"))
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o700])
    func `is refused where others may read or run its file`(mode: Int) throws {
        try write("geheim\n", mode: mode)
        defer { unlink(file) }
        let refusal = try #require(throws: LogAddress.Refusal.self) {
            try ServerLogin(address, passwordFile: file, environment: [:])
        }
        #expect(refusal.description.contains("chmod 0600") && !refusal.description.contains("geheim"))
    }

    @Test(arguments: ["", "\n", "\ngeheim", String(repeating: "a", count: 1_025), "a\u{0}b"])
    func `is the first line, and not too long`(text: String) throws {
        try write(text, mode: 0o600)
        defer { unlink(file) }
        #expect(throws: LogAddress.Refusal.self) {
            try ServerLogin(address, passwordFile: file, environment: [:])
        }
    }

    @Test func `is never that of the user's own files or variables`() throws {
        #expect(throws: LogAddress.Refusal.self) {
            try ServerLogin(address, passwordFile: "/", environment: [:])
        }
        #expect(throws: LogAddress.Refusal.self) {
            try ServerLogin(address, environment: ["PGPASSWORD": "x"])
        }
        for name in ["PGSERVICE", "PGSYSCONFDIR", "PGSSLMAXPROTOCOLVERSION", "PGREQUIREAUTH"] {
            #expect(throws: LogAddress.Refusal.self, "\(name)") {
                try ServerLogin(address, environment: [name: "x"])
            }
        }
        let parameters = try ServerLogin(address, environment: ["HOME": "/"]).parameters(
            for: address.hosts[0]
        )
        #expect(parameters.contains { $0 == ("passfile", "/dev/null/none") })
    }
}
