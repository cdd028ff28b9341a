import Crypto
import HTTPTypes
import Testing

@testable import AppStoreSimulator

@Suite struct `a bearer token` {
    private let store: TestStore

    init() async throws { store = try await TestStore() }

    private static let path = "/production/inApps/v1/transactions/1"

    private func status(_ change: (inout TestToken) -> Void) async throws -> Answer {
        var token = TestToken()
        change(&token)
        return try await store.send(.get, Self.path, token: token.text(at: store.clock.now))
    }

    @Test func `in order lets its app in`() async throws {
        #expect(try await status { _ in }.errorCode == 4_040_010)
    }

    @Test func `need not say when it was issued, as Apple's library for Python does not`() async throws {
        #expect(try await status { $0.saysWhenIssued = false }.errorCode == 4_040_010)
        let late = try await status {
            $0.saysWhenIssued = false
            $0.life = 3_601
        }
        #expect(late.status == 401)
    }

    private static let wrong: [@Sendable (inout TestToken) -> Void] = [
        { $0.algorithm = "HS256" }, { $0.type = "JOSE" }, { $0.keyId = "" }, { $0.audience = "appstore" },
        { $0.issued = -3_000 }, { $0.life = 3_601 }, { $0.issued = 120 },
    ]

    @Test(arguments: wrong.indices)
    func `of another shape is answered 401 without JSON`(index: Int) async throws {
        let answer = try await status(Self.wrong[index])
        #expect(answer.status == 401)
        #expect(answer.json == nil)
    }

    @Test func `that is missing or no token is answered 401`() async throws {
        let missing = try await store.send(.get, Self.path)
        #expect(missing.status == 401)
        let none = try await store.send(.get, Self.path, token: "a.b.c")
        #expect(none.status == 401)
    }

    @Test func `needs the signature of a registered key as soon as there is one`() async throws {
        let pem = TestToken.key.publicKey.pemRepresentation.replacing("\n", with: "\\n")
        let good = try TestToken().text(at: store.clock.now)
        var token = TestToken()
        token.keyId = "OTHER"
        let unknown = try token.text(at: store.clock.now)
        token = TestToken()
        token.key = P256.Signing.PrivateKey()
        let forged = try token.text(at: store.clock.now)
        #expect(try await store.send(.get, Self.path, token: forged).status == 404)
        _ = try await store.control("keys", #"{"keyId":"KEY1234567","publicKey":"\#(pem)"}"#)
        #expect(try await store.send(.get, Self.path, token: good).status == 404)
        #expect(try await store.send(.get, Self.path, token: unknown).status == 401)
        #expect(try await store.send(.get, Self.path, token: forged).status == 401)
    }

    @Test func `can be made with a key that the store hands out, for its issuer only`() async throws {
        let issuer = TestToken.issuer
        let made = try await store.control("keys", #"{"issuerId":"\#(issuer)"}"#)
        var token = TestToken()
        token.keyId = made.text("keyId")
        token.key = try P256.Signing.PrivateKey(pemRepresentation: made.text("privateKey"))
        let text = try token.text(at: store.clock.now)
        #expect(try await store.send(.get, Self.path, token: text).status == 404)
        let other = try await store.control("keys", "{}")
        token.keyId = other.text("keyId")
        token.key = try P256.Signing.PrivateKey(pemRepresentation: other.text("privateKey"))
        let foreign = try token.text(at: store.clock.now)
        #expect(try await store.send(.get, Self.path, token: foreign).status == 401)
    }
}
