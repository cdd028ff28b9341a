import Contracts
import Crypto
import Domain
import Foundation
import Testing

@testable import AppStore

@Suite struct `the token for Apple` {
    let privateKey = P256.Signing.PrivateKey()
    let now = Timestamp.newYear2026

    private func tokens() throws -> BearerTokens { try BearerTokens(.sample(privateKey)) }

    private func json(_ segment: Substring) throws -> JSONValue {
        let bytes = try #require(Base64.url.decode(ArraySlice(segment.utf8)))
        return try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    @Test func `has the header and the claims that Apple documents, and nothing else`() async throws {
        let segments = try await tokens().token(now: now).split(separator: ".")
        #expect(segments.count == 3)
        #expect(
            try json(segments[0])
                == .object([
                    "alg": .string("ES256"), "kid": .string("2X9R4HXF34"), "typ": .string("JWT"),
                ])
        )
        #expect(
            try json(segments[1])
                == .object([
                    "iss": .string("57246542-96fe-1a63-e053-0824d011072a"),
                    "iat": .integer(1_767_225_600),
                    "exp": .integer(1_767_225_600 + 1_200),
                    "aud": .string("appstoreconnect-v1"),
                    "bid": .string("com.example"),
                ])
        )
    }

    @Test func `is signed with the app's key by ES256`() async throws {
        let segments = try await tokens().token(now: now).split(separator: ".")
        let raw = try #require(Base64.url.decode(ArraySlice(segments[2].utf8)))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
        let signed = Data("\(segments[0]).\(segments[1])".utf8)
        #expect(privateKey.publicKey.isValidSignature(signature, for: signed))
    }

    @Test func `is the same one until it nears its end`() async throws {
        let tokens = try tokens()
        let first = try await tokens.token(now: now)
        #expect(try await tokens.token(now: now.advanced(by: 18 * 60_000 - 1)) == first)
        #expect(try await tokens.token(now: now.advanced(by: 18 * 60_000)) != first)
    }

    @Test func `is a new one after Apple refused it, and after the clock was put back`() async throws {
        let tokens = try tokens()
        let first = try await tokens.token(now: now)
        tokens.discard("another")
        #expect(try await tokens.token(now: now) == first)
        tokens.discard(first)
        let second = try await tokens.token(now: now)
        #expect(second != first)
        #expect(try await tokens.token(now: now.advanced(by: -1_000)) != second)
    }

    @Test(arguments: ["", "no key", P384.Signing.PrivateKey().pemRepresentation])
    func `cannot be signed with a file that holds no such key`(pem: String) {
        var key = AppStoreServerKey.sample()
        key.pem = pem
        #expect(throws: UnusableKey(keyId: "2X9R4HXF34")) { try BearerTokens(key) }
    }
}
