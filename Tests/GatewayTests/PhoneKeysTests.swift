import Contracts
import Foundation
import JWTKit
import Logging
import NIOConcurrencyHelpers
import Program
import Testing

@testable import Gateway

@Suite struct `Keys of phones` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "jwks-\(UUID().uuidString)")
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func jwks(_ ids: String...) -> String {
        let parameters = PhoneSigner.es256.publicKey.parameters
        let (x, y) = (base64URL(parameters?.x), base64URL(parameters?.y))
        let keys = ids.map { id in
            #"{"kty":"EC","crv":"P-256","kid":"\#(id)","use":"sig","x":"\#(x)","y":"\#(y)"}"#
        }
        let others = [#"{"kty":"RSA","kid":"rsa","n":"AQAB","e":"AQAB"}"#, #"{"kty":"oct","k":"AAAA"}"#]
        return #"{"keys":[\#((keys + others).joined(separator: ","))]}"#
    }

    private static func base64URL(_ base64: String?) -> String {
        String((base64 ?? "").compactMap { ["+": "-", "/": "_", "=": nil][$0] ?? $0 })
    }

    private func remove() {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
    }

    private func write(_ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "jwks.json")
        try Data(text.utf8).write(to: file, options: .atomic)
        return file.path(percentEncoded: false)
    }

    private func token(_ id: String) async throws -> String {
        let keys = await JWTKeyCollection().add(ecdsa: PhoneSigner.es256)
        return try await keys.sign(PhoneSigner.Claims(), kid: JWKIdentifier(string: id))
    }

    @Test func `of a JWKS file are followed, and hold while it cannot be read`() async throws {
        defer { remove() }
        let file = try write(Self.jwks("first"))
        let uptime = NIOLockedValueBox<Int64>(5_000)
        let gateway = try await TestGateway(uptime: { uptime.withLockedValue { $0 } }).takingPhones(
            jwks: file
        )
        let (first, second) = (try await token("first"), try await token("second"))
        func status(_ token: String) async throws -> Int {
            uptime.withLockedValue { $0 += 1_000 }
            return try await gateway.get("/v1/products", key: token).status
        }
        #expect(try await status(first) == 200)
        #expect(try await status(second) == 401)
        for broken in ["", "{}", #"{"keys":[{"kty":"EC","crv":"P-256","kid":"x","x":"AA","y":"AA"}]}"#] {
            _ = try write(broken)
            #expect(try await status(first) == 200)
        }
        _ = try write(Self.jwks("second"))
        #expect(try await status(second) == 200)
        #expect(try await status(first) == 401, "a key that is gone ends tokens that were taken before")
        try FileManager.default.removeItem(atPath: file)
        #expect(try await status(second) == 200)
        #expect(try await gateway.get("/v1/products", key: PhoneSigner.token()).status == 200)
    }

    @Test func `that are for encryption verify no token`() async throws {
        defer { remove() }
        let both = Self.jwks("first", "second").replacing(
            #""kid":"second","use":"sig""#,
            with: #""kid":"second","use":"enc""#
        )
        let gateway = try await TestGateway().takingPhones(jwks: try write(both))
        #expect(try await gateway.get("/v1/products", key: token("first")).status == 200)
        let refused = try await gateway.get("/v1/products", key: token("second"))
        #expect(refused.status == 401 && refused["code"] == .string("tokenKeyUnknown"), "\(refused.text)")
    }

    @Test(arguments: [
        ("", "is no set of keys"), (#"{"keys":[]}"#, "has no key of ES256 or EdDSA"),
        (#"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#, "is no public key of its curve"),
        (jwks("a", "a"), "names a second key"), (jwks(""), "is missing; name the key"),
    ])
    func `that cannot be used end the start with one line`(_ text: String, _ says: String) async throws {
        defer { remove() }
        var tokens = Configuration.PhoneTokens(keys: [])
        tokens.jwks = try write(text)
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await PhoneKeys(
                tokens,
                named: "apps[0].phoneTokens",
                in: Home(root: "/x"),
                logger: Self.logger
            )
        }
        #expect(error?.exitCode == 2)
        #expect(error?.problem.contains(says) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [Configuration.PhoneTokenKey.Algorithm.es256, .edDSA])
    func `that are of another kind than they say end the start without being shown`(
        _ algorithm: Configuration.PhoneTokenKey.Algorithm
    ) async throws {
        let wrong = PhoneSigner.keys[algorithm == .es256 ? 2 : 1].publicKey ?? ""
        let tokens = Configuration.PhoneTokens(keys: [.init(id: "k", algorithm, publicKey: wrong)])
        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await PhoneKeys(
                tokens,
                named: "apps[0].phoneTokens",
                in: Home(root: "/x"),
                logger: Self.logger
            )
        }
        #expect(error?.member == "apps[0].phoneTokens.keys[0].publicKey")
        #expect(error?.description.contains("\n") == false && error?.description.contains("BEGIN") == false)
    }

    @Test func `no more values are kept than the limit`() {
        var values = RecentValues<Int, Int>(atMost: 100)
        for number in 0..<1_000 {
            values[number] = number
            #expect(values[0] == 0, "what is used stays")
            #expect(values.count <= 100)
        }
        #expect(values[500] == nil && values[999] == 999)
    }
}
